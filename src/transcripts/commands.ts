/** `git commit`, also with options before it. */
const COMMIT =
  /\bgit(?:\s+(?:-[cC]\s+[^\s;&|]{1,200}|--?[\w-]{1,40}(?:=[^\s;&|]{0,200})?)){0,8}\s+commit(?=\s|$)/g;
const HEREDOC = /^["']?\$\(cat <<-?\s*['"]?(\w+)['"]?[ \t]*\r?\n\s*([^\r\n]*)/;
const MESSAGE = /^[^\n;&|]*?(?:\s-[a-zA-Z]*m|\s--message)(?:\s+|=)/;
const WORDS = /^(?:"((?:\\.|[^"\\]){0,2000})|'([^']{0,2000})|([^\s;&|]{1,500}))/;

/** The first lines of the messages that a shell command commits with; `""` for one that it does not hold. */
export function commitSubjects(command: string): string[] {
  return [...command.matchAll(COMMIT)].map(({ 0: start, index }) =>
    subjectIn(command.slice(index + start.length).slice(0, 4_000)),
  );
}

function subjectIn(rest: string): string {
  const [option] = MESSAGE.exec(rest) ?? [];
  if (option === undefined) return "";
  const value = rest.slice(option.length);
  const heredoc = HEREDOC.exec(value)?.[2];
  if (heredoc !== undefined) return heredoc.trim();
  const [, double, single, bare] = WORDS.exec(value) ?? [];
  const message = double?.replace(/\\(["\\$`])/g, "$1") ?? single ?? bare ?? "";
  return message.trim().split(/\r?\n/)[0] ?? "";
}

const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$/gm;

/** The files that a patch in Codex's format adds, changes, moves and deletes. */
export function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(PATCHED)].map(([, file = ""]) => file.trim());
}
