import type { Call } from "./fact.ts";

/** `git commit`, also with options before it. */
const COMMIT =
  /\bgit(?:\s+(?:-[cC]\s+(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s;&|]{1,200})|--?[\w-]{1,40}(?:=[^\s;&|]{0,200})?)){0,8}\s+commit(?=\s|$)/g;
const QUOTED = /"((?:\\.|[^"\\]){0,2000})"|'([^']{0,2000})'/.source;
const HEREDOC = /<<-?\s*['"]?\w+['"]?[^\n]*\r?\n\s*([^\r\n]*)/;
const MESSAGE = /^[^\n;&|]*?(?:\s-[a-zA-Z]*m|\s--message)(?:\s+|=|(?=["']))/;
const WORDS = new RegExp(`^(?:${QUOTED}|([^\\s;&|]{1,500}))`);
const FROM = /^[^\n;&|]*?(?:\s-[a-zA-Z]*F|\s--file)(?:\s+|=)["']?([^\s"';&|<]{1,200})/;
/** What wrote the message, right before: `echo x |`, `printf x > file &&`. */
const WRITTEN = new RegExp(
  `\\b(?:echo|printf)\\s+(?:-\\w+\\s+)?(?:${QUOTED})\\s*(?:\\||>\\s*(\\S{1,200})\\s*(?:&&|;|\\n))\\s*$`,
);

/** What only shows what a commit would hold, or how it is made. */
const ONLY_SHOWS = /\s(?:--(?:dry-run|short|porcelain|long|help)|-h)(?=\s|$)/;
/** The options of a command, with their texts. */
const OPTIONS = /^(?:[^\n;&|"'\\]|\\[\s\S]|"(?:\\[\s\S]|[^"\\]){0,2000}"|'[^']{0,2000}')*/;
/** Other commands that name one. */
const SAID = /(?:^|[\n;&|(])\s*(?:echo|printf|grep|rg|#)(?:\s[^\n;&|]*)?$/;

/** The first lines of the messages that a shell command commits with; `""` for one that it does not hold. */
export function commitSubjects(command: string): string[] {
  return [...command.matchAll(COMMIT)].flatMap(({ 0: start, index }) => {
    const rest = command.slice(index + start.length).slice(0, 4_000);
    const before = command.slice(0, index).slice(-4_000);
    const options = OPTIONS.exec(rest)?.[0].replace(/"(?:\\[\s\S]|[^"\\])*"|'[^']*'/g, '""') ?? "";
    if (ONLY_SHOWS.test(options) || SAID.test(before)) return [];
    return subjectIn(rest) ?? subjectInFile(before, rest) ?? "";
  });
}

function subjectIn(rest: string): string | undefined {
  const [option] = MESSAGE.exec(rest) ?? [];
  if (option === undefined) return undefined;
  const value = rest.slice(option.length);
  const heredoc = /^["']?\$\(cat <</.test(value) ? HEREDOC.exec(value)?.[1] : undefined;
  return heredoc?.trim() ?? firstLine(WORDS.exec(value));
}

/** The message in a file that the same command wrote, or that another program wrote to this one. */
function subjectInFile(before: string, rest: string): string | undefined {
  const [, file] = FROM.exec(rest) ?? [];
  if (file === undefined) return undefined;
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const written = WRITTEN.exec(before);
  if (written !== null && (written[3] ?? "-") === file) return firstLine(written).split("\\n", 1)[0];
  if (file === "-") return HEREDOC.exec(line + rest)?.[1]?.trim();
  const heredocs = [...before.matchAll(/^([^\n]{0,400}<<[^\n]{0,400})\r?\n\s*([^\r\n]*)/gm)];
  return heredocs.findLast(([, opening = ""]) => opening.includes(file))?.[2]?.trim();
}

function firstLine(match: RegExpExecArray | null): string {
  const [, double, single, bare] = match ?? [];
  const message = double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? bare ?? "";
  return message.trim().split(/\r?\n/)[0] ?? "";
}

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$/gm;

/** The files that a patch in Codex's format adds, changes, moves and deletes. */
export function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(PATCHED)].map(([, file = ""]) => file.trim());
}

/** What a line for the shell does: Codex may give a patch to a program of its own. */
export function shellCall(command: string): Call {
  const files = command.includes("*** Begin Patch") ? patchedFiles(command) : [];
  return files.length > 0 ? { files } : { command };
}
