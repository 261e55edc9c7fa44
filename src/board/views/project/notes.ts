import { compare } from "../../compare.ts";

/** A document without its frontmatter and its title: pages show both elsewhere. */
export function bodyOf(text: string): string {
  return text
    .replace(/^\uFEFF?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/, "")
    .replace(/^\s*# [^\n]*(?:\n|$)/, "")
    .trim();
}

/** Decisions as a document notes them. */
export interface Decisions {
  path: string;
  /** YYYY-MM-DD */
  day: string;
  /** Markdown */
  text: string;
}

/** The recent decisions in the text of a briefing, which quotes notes with `>` before each line. */
export function decisionsOf(briefing: string): Decisions[] {
  const [, section = ""] = briefing.split(/^## Recent Decisions$/m);
  const [own = ""] = section.split(/^## /m);
  return own.split(/^(?=From `)/m).flatMap((block) => {
    const [, path, day] = /^From `+ ?(.*?) ?`+ \((\d{4}-\d{2}-\d{2})\):$/m.exec(block) ?? [];
    const quoted = block.split("\n").filter((line) => line.startsWith(">"));
    const text = quoted.map((line) => line.replace(/^> ?/, "")).join("\n");
    return path === undefined || day === undefined || text === "" ? [] : [{ path, day, text }];
  });
}

/** Folders in the order in which people look for them; unknown ones last. */
export function folderOrder(folders: Readonly<Record<string, unknown>>): string[] {
  const known = ["", "plans", "tasks", "sessions", "reports", "changelog", "references", "scratch", "assets"];
  const names = Object.keys(folders);
  return [
    ...known.filter((name) => names.includes(name)),
    ...names.filter((name) => !known.includes(name)).sort(),
  ];
}

interface Updated {
  name: string;
  last_updated: string | null;
}

/** The projects of the newest day first, by name within a day, so that they do not jump while agents write. */
export function byDay<T extends Updated>(projects: readonly T[]): T[] {
  const day = ({ last_updated: updated }: T) => updated?.slice(0, 10) ?? "";
  return [...projects].sort((a, b) => compare(day(b), day(a)) || compare(a.name, b.name));
}
