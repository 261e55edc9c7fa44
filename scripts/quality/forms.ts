import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { detectLanguage, isStopWord } from "../../src/core/index/language.ts";
import { foldedWords } from "../../src/core/index/tokenizer.ts";
import { groupBy, remember } from "../../src/core/lib/collections.ts";
import { describeDocument, locateDocument } from "../../src/core/notes/document.ts";
import { type Inflected, stemOf } from "../../src/core/search/forms.ts";
import { createRandom, type Random } from "../bench/random.ts";
import type { JudgedQuery } from "./queries.ts";

const WORDS = 3;
const MIN_LETTERS = 5;
/** Documents of a language that are asked for. */
const SAMPLE = 100;
const SEED = 1;
/** A word whose forms more documents hold says little about one of them. */
const MAX_DOCUMENTS = 10;

/** The parts of a document that questions are made from. */
interface Material {
  path: string;
  title: string;
  /** Its text, without frontmatter. */
  body: string;
}

interface Words {
  document: Material;
  /** Its words, by their stems. */
  byStem: Map<string, Set<string>>;
}

/**
 * Queries of three words of a document, each in another form: one that the document does not hold and others do. `own-words` are
 * the same queries in the forms of the document, to compare.
 */
export function formQueries(root: string): JudgedQuery[] {
  const random = createRandom(SEED);
  const documents = readMaterial(root);
  return (["en", "es"] as const).flatMap((language) => {
    const stem = remember((word: string) => stemOf(word, language));
    const own = documents
      .filter(({ body }) => detectLanguage(body) === language)
      .map((document) => ({ document, byStem: wordsByStem(document, stem) }));
    return queriesOf(own, language, random);
  });
}

function wordsByStem({ title, body }: Material, stem: (word: string) => string): Words["byStem"] {
  const byStem = new Map<string, Set<string>>();
  for (const word of foldedWords(`${title} ${body}`)) {
    if (!/^[a-z]+$/.test(word) || word.length < MIN_LETTERS || isStopWord(word)) continue;
    byStem.set(stem(word), (byStem.get(stem(word)) ?? new Set()).add(word));
  }
  return byStem;
}

function queriesOf(documents: Words[], language: Inflected, random: Random): JudgedQuery[] {
  const stems = documents.flatMap((holder) => [...holder.byStem.keys()].map((stem) => ({ stem, holder })));
  const holders = groupBy(stems, ({ stem }) => stem);
  const queries = shuffled(documents, random).map(({ document, byStem }) => {
    const swaps = shuffled([...byStem], random).flatMap(([stem, words]) => {
      const others = (holders.get(stem) ?? []).map(({ holder }) => holder);
      if (others.length > MAX_DOCUMENTS) return [];
      const all = new Set(others.flatMap((other) => [...(other.byStem.get(stem) ?? [])]));
      const forms = [...all].filter((form) => !words.has(form));
      if (forms.length === 0) return [];
      return [{ stem, own: [...words][0] ?? "", form: random.pick(forms) }];
    });
    const chosen = swaps.slice(0, WORDS);
    if (chosen.length < WORDS) return [];
    const equals = documents.filter((other) => chosen.every(({ stem }) => other.byStem.has(stem)));
    const ignore = equals.map((other) => other.document.path).filter((path) => path !== document.path);
    const judged = { relevant: [document.path], ignore };
    const query = (field: "form" | "own") => chosen.map((one) => one[field]).join(" ");
    return [
      { ...judged, id: document.path, class: `forms-${language}`, query: query("form") },
      { ...judged, id: document.path, class: `own-words-${language}`, query: query("own") },
    ];
  });
  return queries
    .filter(({ length }) => length > 0)
    .slice(0, SAMPLE)
    .flat();
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const keyed = values.map((value) => ({ value, key: random.next() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

/** The documents below `root`, by path. */
function readMaterial(root: string): Material[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => name.replaceAll("\\", "/")).sort();
  return paths.flatMap((path) => {
    const location = locateDocument(path);
    if (location === null) return [];
    const text = readFileSync(join(root, path), "utf8");
    const { title, bodyOffset } = describeDocument(location, text);
    return [{ path, title, body: text.slice(bodyOffset) }];
  });
}
