import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { mergeFrontmatter } from "../markdown/frontmatter-edit.ts";
import { type Data, keysFor, LISTS, nameOfKey, plainKey } from "./field-names.ts";

/** Sets fields under the keys that stand there, null removes one. Throws as mergeFrontmatter does. */
export function setFields(text: string, changes: Data): string {
  const { data } = parseFrontmatter(text);
  const keyed = Object.entries(changes).flatMap(([name, value]) => {
    const [key = name, ...others] = value === undefined ? [] : keysFor(data, name);
    const isOne = value === null || LISTS.includes(name);
    const rest = isOne ? others.map((other) => [other, null] as const) : [];
    return value === undefined ? [] : [[key, value] as const, ...rest];
  });
  return mergeFrontmatter(text, Object.fromEntries(keyed));
}

/** Sets keys as they are named, or as they stand there in another letter case or another word for the field. */
export function setKeys(text: string, changes: Data): string {
  const { data } = parseFrontmatter(text);
  const keys = Object.keys(data);
  const standing = (name: string) => {
    const same = keys.find((key) => plainKey(key) === plainKey(name));
    const [other] = LISTS.includes(nameOfKey(name)) ? [] : keysFor(data, nameOfKey(name));
    return Object.hasOwn(data, name) ? name : (same ?? other ?? name);
  };
  const keyed = Object.entries(changes).map(([name, value]) => [standing(name), value]);
  return mergeFrontmatter(text, Object.fromEntries(keyed));
}
