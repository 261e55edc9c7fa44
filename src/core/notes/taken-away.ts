import { groupBy } from "../lib/collections.ts";
import { listNames } from "../lib/escape.ts";
import { counted } from "../lib/text.ts";
import { eachHeading } from "../markdown/headings.ts";
import { headingName } from "../markdown/sections.ts";
import type { DocumentFacts } from "./document.ts";

interface Version {
  text: string;
  facts: Pick<DocumentFacts, "bodyOffset" | "status" | "tags" | "task">;
}

/** So many lines may go without a word. */
const FEW_LINES = 3;
const MAX_SECTIONS = 5;

/** What a change took away of a document: sections, many lines, the status, steps and tags of a task. Null if nothing. */
export function takenAway(before: Version, after: Version): string | null {
  const parts = [
    linesGone(before.text, after.text),
    sectionsGone(before, after),
    ...factsGone(before, after),
  ];
  const said = parts.filter((part) => part !== null);
  const last = said.pop();
  if (last === undefined) return null;
  return `${said.length === 0 ? "" : `${said.join(", ")} and `}${last} went`;
}

function linesGone(before: string, after: string): string | null {
  const old = writtenLines(before);
  const gone = missing(old, writtenLines(after)).length;
  const added = missing(writtenLines(after), old).length;
  return gone - added > FEW_LINES ? `${gone} of ${counted(old.length, "line")}` : null;
}

/** A heading with other words keeps its section. */
function sectionsGone(before: Version, after: Version): string | null {
  const names = new Set(ownBodies(after).map(({ name }) => name));
  const left = new Set(writtenLines(after.text));
  const gone = ownBodies(before).filter(({ name, lines }) => {
    const kept = lines.filter((line) => left.has(line)).length;
    return !names.has(name) && kept * 2 <= lines.length;
  });
  if (gone.length === 0) return null;
  return `the ${gone.length === 1 ? "section" : "sections"} ${listNames(
    gone.map(({ title }) => title),
    MAX_SECTIONS,
  )}`;
}

/** The headings, each with the lines up to the next one. */
function ownBodies({ text, facts }: Version) {
  const headings = [...eachHeading(text, facts.bodyOffset)];
  return headings.map((heading, at) => {
    const lines = writtenLines(text.slice(heading.end, headings[at + 1]?.start));
    return { name: headingName(heading), title: heading.text, lines };
  });
}

function factsGone({ facts: before }: Version, { facts: after }: Version): (string | null)[] {
  if (before.task === null) return [];
  const [was, is] = [before.task.progress, after.task?.progress ?? { done: 0, total: 0 }];
  const steps = was.total - is.total;
  const ticks = was.done - is.done;
  const tags = before.tags.filter((tag) => !after.tags.includes(tag));
  return [
    before.status !== null && after.status === null ? `the status ${listNames([before.status])}` : null,
    steps > 0 ? `${steps} of ${counted(was.total, "step")}` : ticks > 0 ? counted(ticks, "tick") : null,
    tags.length > 0 ? `the ${tags.length === 1 ? "tag" : "tags"} ${listNames(tags, MAX_SECTIONS)}` : null,
  ];
}

function writtenLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** What of one list the other one lacks, as often as it does. */
function missing(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map([...groupBy(other, (line) => line)].map(([line, { length }]) => [line, length]));
  return list.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
