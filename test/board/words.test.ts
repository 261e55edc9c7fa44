import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const FOLDER = "src/board";
const WORDS = join(FOLDER, "words");
const FORMS = ["one", "other", "zero"];

/** Each text of a language by its place, `app.undone`; the forms for counts as one text. */
function textsOf(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string) => {
    if (typeof value === "string") return void texts.set(path, value);
    assert.ok(typeof value === "object" && value !== null, path);
    const entries = Object.entries(value);
    const isCounted = entries.every(([key]) => FORMS.includes(key));
    if (isCounted) texts.set(path, entries.map(([, form]) => form).join("\n"));
    else for (const [key, one] of entries) walk(one, path === "" ? key : `${path}.${key}`);
  };
  walk(JSON.parse(readFileSync(join(WORDS, language), "utf8")), "");
  return texts;
}

const valuesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();

const languages = readdirSync(WORDS);
const english = textsOf("en.json");

test("every language says the same things, with the same values", () => {
  assert.deepEqual(languages, ["en.json", "es.json", "ja.json"]);
  for (const language of languages) {
    const texts = textsOf(language);
    assert.deepEqual([...texts.keys()], [...english.keys()], language);
    for (const [path, text] of texts) {
      assert.match(text, /\S/, `${language}: ${path}`);
      assert.deepEqual(valuesIn(text), valuesIn(english.get(path) ?? ""), `${language}: ${path}`);
    }
  }
});

test("the page gives each text its values", () => {
  const given = sources().flatMap((code) =>
    [...code.matchAll(/\bsay\(\s*words\.([\w.]+),\s*(\{(?:[^{}]|\{[^}]*\})*\})/g)].map(
      ([, path = "", values = ""]) => ({ path, values }),
    ),
  );
  assert.ok(given.length > 80);
  for (const { path, values } of given) {
    const needed = valuesIn(english.get(path) ?? assert.fail(path));
    for (const name of needed) assert.match(values, new RegExp(`[{,]\\s*${name}\\b`), `${path}: ${values}`);
  }
  const used = sources().join("\n");
  const said = [...english].filter(([, text]) => valuesIn(text).length > 0).map(([path]) => path);
  assert.deepEqual(
    said.filter((path) => !used.includes(`words.${path}`)),
    [],
  );
});

function sources(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(FOLDER, name), "utf8"));
}
