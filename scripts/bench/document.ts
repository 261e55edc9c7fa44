import type { Random } from "./random.ts";
import { SENTENCES, type Vocabulary } from "./vocabulary.ts";

export type Kind = "task" | "session" | "note";

interface DocumentPlan {
  kind: Kind;
  title: string;
  /** `YYYY-MM-DD` */
  date: string;
  random: Random;
  vocabulary: Vocabulary;
}

const STATUSES = ["pending", "pending", "in-progress", "done", "done", "done", "blocked"];
const OWNERS = ["ana", "dana", "haruka", "luis", "mei", "tom"];
const HEADINGS = "Context,Decisions,Next,Blockers,Notes,Open questions,Estado actual,決定事項".split(",");
const LANGUAGES = [SENTENCES.english, SENTENCES.english, SENTENCES.spanish, SENTENCES.japanese];
const MEDIAN_CHARS = 2300;
const SPREAD = 0.7;
const LARGEST_CHARS = 40_000;
/** One document in a hundred is a long one. */
const LONG = { share: 0.01, chars: 30_000 };

/** The Markdown of one document: some with frontmatter, a title, the head of a task, and sections up to its size. */
export function renderDocument(plan: DocumentPlan): string {
  const { random, kind, title } = plan;
  const size = chooseSize(random);
  let text = random.chance(0.4) ? frontmatter(plan) : "";
  text += `# ${kind === "task" ? "Task: " : ""}${title}\n\n`;
  if (kind === "task") text += taskHead(plan);
  while (text.length < size) text += section(plan, size - text.length);
  return text;
}

function chooseSize(random: Random): number {
  if (random.chance(LONG.share)) return LONG.chars + random.below(LONG.chars / 10);
  return Math.min(random.logNormal(MEDIAN_CHARS, SPREAD), LARGEST_CHARS);
}

export function phrase(
  { random, vocabulary }: Pick<DocumentPlan, "random" | "vocabulary">,
  words: number,
): string {
  let text = vocabulary.draw(random);
  for (let count = 1; count < words; count++) text += ` ${vocabulary.draw(random)}`;
  return text;
}

function frontmatter(plan: DocumentPlan): string {
  const { random, vocabulary, date } = plan;
  // Tags are shared: rare words would make each one unique.
  const tags = [vocabulary.ranked(100 + random.below(60)), vocabulary.ranked(100 + random.below(60))];
  return `---\nupdated: ${date}\nowner: ${random.pick(OWNERS)}\ntags: [${tags.join(", ")}]\n---\n`;
}

function taskHead(plan: DocumentPlan): string {
  const { random } = plan;
  let text = `Status: ${random.pick(STATUSES)}\n\n## Objective\n${sentence(plan)}\n\n## Steps\n`;
  for (let step = 1, steps = 2 + random.below(5); step <= steps; step++) {
    text += `${step}. [${random.chance(0.5) ? "x" : " "}] ${phrase(plan, 3 + random.below(5))}\n`;
  }
  return `${text}\n`;
}

/** A heading of level 2 or 3 with one to four blocks below it, not much longer than `room`. */
function section(plan: DocumentPlan, room: number): string {
  const { random } = plan;
  const heading = random.chance(0.5) ? random.pick(HEADINGS) : phrase(plan, 1 + random.below(4));
  let text = `${random.chance(0.75) ? "##" : "###"} ${heading}\n\n`;
  for (let blocks = 1 + random.below(4); blocks > 0 && text.length < room; blocks--)
    text += `${block(plan)}\n\n`;
  return text;
}

function block(plan: DocumentPlan): string {
  const choice = plan.random.next();
  if (choice < 0.6) return paragraph(plan);
  if (choice < 0.85) return list(plan);
  return choice < 0.95 ? code(plan) : `> ${sentence(plan)}`;
}

function paragraph(plan: DocumentPlan): string {
  let text = sentence(plan);
  for (let more = plan.random.below(5); more > 0; more--) text += ` ${sentence(plan)}`;
  return text;
}

function sentence(plan: DocumentPlan): string {
  const { random } = plan;
  if (random.chance(0.12)) return random.pick<string>(random.pick<readonly string[]>(LANGUAGES));
  const text = phrase(plan, 6 + random.below(14));
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function list(plan: DocumentPlan): string {
  const { random } = plan;
  const items: string[] = [];
  for (let count = 2 + random.below(6); count > 0; count--) {
    const label = random.chance(0.2) ? `**${phrase(plan, 1)}**: ` : "";
    items.push(`- ${label}${phrase(plan, 3 + random.below(10))}`);
  }
  return items.join("\n");
}

function code(plan: DocumentPlan): string {
  const lines: string[] = [];
  for (let count = 2 + plan.random.below(6); count > 0; count--) {
    lines.push(`const ${identifier(plan)} = ${identifier(plan)}("${phrase(plan, 2)}");`);
  }
  return `\`\`\`ts\n${lines.join("\n")}\n\`\`\``;
}

function identifier({ random, vocabulary }: DocumentPlan): string {
  const second = vocabulary.draw(random);
  return `${vocabulary.draw(random)}${second.charAt(0).toUpperCase()}${second.slice(1)}`;
}
