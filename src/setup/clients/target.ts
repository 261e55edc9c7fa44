import { attempt } from "../../core/storage/fs-errors.ts";
import { BrokenSettings, type Entry, entryChanges, isEntry, type Target } from "./entry.ts";
import { parseJson, setJson } from "./jsonc.ts";
import type { Client } from "./table.ts";
import { parseToml, removeToml, setToml } from "./toml.ts";

/** The entry of one server in the settings of a client. */
export function serverTarget(client: Client, name: string): Target {
  const path = [client.servers, name];
  return client.format === "toml" ? tomlTarget(path) : jsonTarget(path, client.strict);
}

function jsonTarget(path: readonly string[], strict: boolean): Target {
  const parse = (text: string) => parseJson(text, strict);
  const read = (text: string) => entryIn(parse(text), path);
  return {
    parse,
    read,
    write: (text, value) => {
      const current = read(text) ?? {};
      const { set, remove } = entryChanges(current, value);
      const isSame = Object.keys(set).length + remove.length === 0;
      const kept = Object.entries({ ...current, ...set }).filter(([key]) => !remove.includes(key));
      return isSame ? text : setJson(text, [...path], Object.fromEntries(kept));
    },
    remove: (text) => {
      const after = setJson(text, [...path], undefined);
      // `modify` leaves the comma behind the only key of an object.
      const isValid = attempt(() => parse(after)) !== undefined;
      return isValid ? after : setJson(text, path.slice(0, -1), {});
    },
    others: (text) => without(parse(text), path),
  };
}

function tomlTarget(path: readonly string[]): Target {
  const read = (text: string) => entryIn(parseToml(text), path);
  return {
    parse: parseToml,
    read,
    write: (text, value) => {
      const changes = entryChanges(read(text) ?? {}, value);
      const isSame = Object.keys(changes.set).length + changes.remove.length === 0;
      return isSame ? text : setToml(text, path, changes);
    },
    remove: (text) => removeToml(text, path),
    others: (text) => without(parseToml(text), path),
  };
}

function entryIn(settings: Entry, path: readonly string[]): Entry | undefined {
  let found: unknown = settings;
  for (const [at, key] of path.entries()) {
    if (!isEntry(found)) throw new BrokenSettings(`"${path.slice(0, at).join(".")}" must be an object`);
    if (!Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  if (isEntry(found)) return found;
  throw new BrokenSettings(`"${path.join(".")}" must be an object`);
}

/** The settings without the entry at a path, and without the object that held nothing else. */
function without(settings: Entry, [key = "", name = ""]: readonly string[]): Entry {
  const { [key]: servers, ...rest } = settings;
  if (!isEntry(servers)) return settings;
  const { [name]: _, ...others } = servers;
  return Object.keys(others).length === 0 ? rest : { ...rest, [key]: others };
}
