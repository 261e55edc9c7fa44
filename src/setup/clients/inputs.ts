import { type Entry, isEntry, type Json, type Target } from "./entry.ts";
import { scalarsOf } from "./hide.ts";
import { appendJson, type JsonPath, parseJson, removeJson, setJson } from "./jsonc.ts";

// VS Code asks for a secret once and keeps it: an entry refers to it as ${input:ID}, and the list `inputs` describes it.

const INPUTS = "inputs";

/** Adds the inputs that an entry refers to, and removes them with it. */
export function withInputs(target: Target): Target {
  const itemFor = (id: string): Entry => ({
    type: "promptString",
    id,
    description: "Token of vibe-mcp",
    password: true,
  });
  const without = (text: string, ids: readonly string[]) =>
    ids.reduce((rest, id) => {
      const at = idsIn(parseJson(rest, false)).includes(id) ? undefined : pathOf(rest, itemFor(id));
      return at === undefined ? rest : removeJson(rest, at);
    }, text);
  return {
    ...target,
    write: (text, value) => {
      const old = idsIn(target.read(text) ?? {});
      const written = without(target.write(text, value), old);
      return idsIn(value).reduce((rest, id) => add(rest, itemFor(id)), written);
    },
    remove: (text) => without(target.remove(text), idsIn(target.read(text) ?? {})),
    scalars: (value) => scalarsOf([value, ...idsIn(value).map(itemFor)]),
  };
}

function idsIn(value: Json): string[] {
  return [...JSON.stringify(value).matchAll(/\$\{input:([^}]+)\}/g)].map(([, id = ""]) => id);
}

function listIn(text: string): Json[] | undefined {
  const list = parseJson(text, false)[INPUTS];
  return Array.isArray(list) ? list : undefined;
}

function add(text: string, item: Entry): string {
  const list = listIn(text);
  if (list === undefined) return setJson(text, [INPUTS], [item]);
  const isThere = list.some((one) => isEntry(one) && one["id"] === item["id"]);
  return isThere ? text : appendJson(text, [INPUTS], item);
}

/** The path of an item that this program wrote: the last one takes the list along. */
function pathOf(text: string, item: Entry): JsonPath | undefined {
  const list = listIn(text) ?? [];
  const at = list.findIndex((one) => JSON.stringify(one) === JSON.stringify(item));
  if (at === -1) return undefined;
  return list.length === 1 ? [INPUTS] : [INPUTS, at];
}
