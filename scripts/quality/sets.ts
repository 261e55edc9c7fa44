import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../../src/core/config/options.ts";
import { groupBy } from "../../src/core/lib/collections.ts";
import { alignColumns } from "../bench/report.ts";
import { withFolder } from "../shared.ts";
import { type QueryResult, runQueries, withWorkspace } from "./run.ts";
import { charsPerAnswer, DEPTH, figuresOf } from "./score.ts";

/** One workspace of a public set: its notes by path, and the questions asked there, with every note that holds a part of the answer. */
interface Material {
  notes: Map<string, string>;
  questions: { class: string; query: string; relevant: string[]; evidence?: string[] }[];
}

/** Reads a JSON file of the set, or one with a value per line. */
type Read = <T>(file: string) => T;

/** Public sets, read from the files that their owners publish. */
const SETS = { locomo, xquad, code, docs } satisfies Record<string, (read: Read) => Iterable<Material>>;

export async function measureSet(name: string, folder: string): Promise<string> {
  if (!isSet(name)) throw new UsageError(`--set is one of ${Object.keys(SETS).join(", ")}`);
  const answers: QueryResult[] = [];
  for (const material of SETS[name]((file) => readJson(join(folder, file))))
    answers.push(...(await withFolder("quality", (root) => ask(root, material))));
  const classes = groupBy(answers, (answer) => answer.class);
  const rows = classes.size === 1 ? [] : [...classes].sort().map(([of, some]) => cells(of, some));
  const found = FIRST.map((count) => `found@${count}`);
  const titles = ["", "questions", `MRR@${DEPTH}`, ...found, "in the answer", "characters for each", "weak"];
  return alignColumns([titles, ...rows, cells("all", answers)]);
}

function isSet(name: string): name is keyof typeof SETS {
  return Object.hasOwn(SETS, name);
}

function readJson<T>(file: string): T {
  const text = readFileSync(file, "utf8");
  return JSON.parse(file.endsWith(".jsonl") ? `[${text.trim().split("\n").join(",")}]` : text) as T;
}

function ask(root: string, { notes, questions }: Material): Promise<QueryResult[]> {
  for (const [path, text] of notes) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const queries = questions.map((question, at) => ({ ...question, id: String(at), ignore: [] }));
  return withWorkspace({ root, boost: undefined, now: new Date() }, (workspace) =>
    runQueries(workspace, queries),
  );
}

const FIRST = [3, 5, 10, 20];

/** `found@5` is the share of the right notes among the first five. */
function cells(name: string, answers: QueryResult[]): string[] {
  const mean = (value: (answer: QueryResult) => number) =>
    ((100 * answers.reduce((sum, one) => sum + value(one), 0)) / answers.length).toFixed(1);
  const found = FIRST.map((count) =>
    mean(({ ranking, query: { relevant } }) => {
      const first = new Set(ranking.slice(0, count));
      return relevant.filter((path) => first.has(path)).length / relevant.length;
    }),
  );
  const figures = figuresOf(answers);
  const { mrr, answered } = figures;
  const weak = mean(({ isWeak }) => Number(isWeak));
  const shares = [mrr.toFixed(1), ...found, answered.toFixed(1)];
  return [name, String(answers.length), ...shares, charsPerAnswer(figures), weak];
}

interface Conversation {
  sample_id: string;
  conversation: Record<string, string | { speaker: string; text: string; blip_caption?: string }[]>;
  qa: { question: string; evidence: string[]; category: number }[];
}

const CATEGORIES = ["", "several sessions", "time", "open", "one session", "adversarial"];

/** One note per session, all conversations in one workspace; the evidence as dial481/locomo-audit corrects it. */
function locomo(read: Read): Material[] {
  const errors = read<{ question_id: string; correct_evidence: string[] }[]>("errors.json");
  const corrected = new Map(errors.map((error) => [error.question_id, error.correct_evidence]));
  const notes = new Map<string, string>();
  const questions = read<Conversation[]>("locomo10.json").flatMap(
    ({ sample_id: name, conversation, qa }, at) => {
      const pathOf = (session: string) => `${name}/sessions/session-${session}.md`;
      const turnsOf = (session: string) => conversation[`session_${session}`] ?? [];
      for (const [key, turns] of Object.entries(conversation)) {
        if (!Array.isArray(turns)) continue;
        const lines = turns.map(({ speaker, text, blip_caption: image }) =>
          [`${speaker}: ${text}`, ...(image === undefined ? [] : [`[${image}]`])].join(" "),
        );
        const head = [`# ${name} ${key.replace("_", " ")}`, String(conversation[`${key}_date_time`])];
        notes.set(pathOf(key.replace("session_", "")), [...head, ...lines].join("\n\n"));
      }
      return qa.map(({ question, evidence, category }, number) => {
        const turns = (corrected.get(`locomo_${at}_qa${number}`) ?? evidence).join(" ");
        const places = [...turns.matchAll(/D:?(\d+):(\d+)/g)].map(([, session = "", turn]) => ({
          session,
          text: Object(turnsOf(session)[Number(turn) - 1]).text as string | undefined,
        }));
        const relevant = [...new Set(places.map(({ session }) => pathOf(session)))];
        const said = places.flatMap(({ text = "" }) => (text === "" ? [] : [text]));
        return { class: CATEGORIES[category] ?? "", query: question, relevant, evidence: said };
      });
    },
  );
  return [{ notes, questions: questions.filter(({ relevant }) => relevant.length > 0) }];
}

type Articles = {
  data: { paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[] }[];
};

/** Each paragraph is a note. */
function xquad(read: Read): Material[] {
  const paragraphs = read<Articles>("xquad.json").data.flatMap(({ paragraphs }) => paragraphs);
  const pathOf = (at: number) => `wiki/references/${at}.md`;
  const questions = paragraphs.flatMap(({ qas }, at) =>
    qas.map(({ question, answers }) => {
      const evidence = answers.map(({ text }) => text);
      return { class: "xquad", query: question, relevant: [pathOf(at)], evidence };
    }),
  );
  return [{ notes: new Map(paragraphs.map(({ context }, at) => [pathOf(at), context])), questions }];
}

type CodeFile = { original_uuid: string; chunks: { original_index: number; content: string }[] };

/** Anthropic's set of code: each piece of a file is a note. */
function code(read: Read): Material[] {
  const pathOf = (file: string, piece: number) => `code/references/${file.slice(0, 12)}-${piece}.md`;
  const notes = read<CodeFile[]>("codebase_chunks.json").flatMap(({ original_uuid: file, chunks }) =>
    chunks.map((piece) => [pathOf(file, piece.original_index), `\`\`\`\n${piece.content}\n\`\`\``] as const),
  );
  const asked = read<{ query: string; golden_chunk_uuids: [string, number][] }[]>("evaluation_set.jsonl");
  const questions = asked.map(({ query, golden_chunk_uuids: right }) => {
    return { class: "code", query, relevant: right.map(([file, piece]) => pathOf(file, piece)) };
  });
  return [{ notes: new Map(notes), questions }];
}

/** Anthropic's set of documentation: each section is a note. */
function docs(read: Read): Material[] {
  const sections = read<{ chunk_link: string; chunk_heading: string; text: string }[]>("anthropic_docs.json");
  const paths = new Map(sections.map(({ chunk_link: link }, at) => [link, `docs/references/${at}.md`]));
  const pathOf = (link: string) => paths.get(link) ?? link;
  const notes = sections.map(
    ({ chunk_link: link, chunk_heading: heading, text }) =>
      [pathOf(link), `# ${heading}\n\n${text}`] as const,
  );
  const asked = read<{ question: string; correct_chunks: string[] }[]>("docs_evaluation_dataset.json");
  const questions = asked.map(({ question, correct_chunks: right }) => {
    return { class: "docs", query: question, relevant: right.map(pathOf) };
  });
  return [{ notes: new Map(notes), questions }];
}
