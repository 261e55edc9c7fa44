import { isDeepStrictEqual } from "node:util";
import { BrokenSettings, type Entry, entryChanges, isEntry, type Json, type Target } from "./entry.ts";
import { hideJson, hideToml, scalarsOf } from "./hide.ts";
import { withInputs } from "./inputs.ts";
import { parseJson, removeJson, setJson } from "./jsonc.ts";
import type { Client } from "./table.ts";
import { parseToml, removeToml, setToml } from "./toml.ts";

/** The entry of one server in the settings of a client. */
export function serverTarget(client: Client, name: string): Target {
  const path = [client.servers, name];
  if (client.format === "toml") return tomlTarget(path);
  const target = jsonTarget(path, client.strict);
  return client.token === "question" ? withInputs(target) : target;
}

function jsonTarget(path: readonly string[], strict: boolean): Target {
  const parse = (text: string) => parseJson(text, strict);
  const read = (text: string) => entryIn(parse(text), path);
  return {
    parse,
    read,
    write: (text, value) => {
      const current = read(text);
      if (current === undefined) return setJson(text, path, value);
      const { set, remove } = entryChanges(current, value);
      const rest = remove.reduce((result, key) => removeJson(result, [...path, key]), text);
      return Object.entries(set).reduce(
        (result, [key, value]) => setJson(result, [...path, key], value),
        rest,
      );
    },
    remove: (text) => removeJson(text, path),
    scalars: scalarsOf,
    hide: hideJson,
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
    scalars: scalarsOf,
    hide: hideToml,
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

/** The settings without the target: an edit must not change them. */
export function withoutTarget(target: Target, text: string): Entry {
  const isThere = target.read(text) !== undefined;
  return pruned(target.parse(isThere ? target.remove(text) : text)) as Entry;
}

/** Removes empty objects and lists, which an edit may create or leave behind. */
function pruned(value: Json): Json {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isEntry(value)) return value;
  const kept = Object.entries(value)
    .map(([key, item]) => [key, pruned(item)] as const)
    .filter(([, item]) => !isDeepStrictEqual(item, {}) && !isDeepStrictEqual(item, []));
  return Object.fromEntries(kept);
}
