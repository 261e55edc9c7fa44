/** With more, a pattern could take for ever to match. */
const MAX_STARS = 8;

/** A `.gitignore` with the path of a file from its folder. */
export interface IgnoreFile {
  text: string;
  path: string;
}

/** Whether git leaves a file out; `files` from the top of the repository down. */
export function isIgnored(files: readonly IgnoreFile[]): boolean {
  const rules = files.flatMap(({ text, path }) =>
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#") && matches(line.replace(/^!/, ""), path)),
  );
  return rules.length > 0 && rules.at(-1)?.startsWith("!") === false;
}

/** The pattern names the file or a folder above it: from the `.gitignore` if it has a slash inside, else anywhere. No `[a-z]`. */
function matches(pattern: string, path: string): boolean {
  if (pattern.split("*").length > MAX_STARS) return false;
  const isFolder = pattern.endsWith("/");
  const body = pattern.replace(/\/$/, "");
  const source = body
    .replace(/^\//, "")
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/|\*|\?/g, (glob) => (glob === "**/" ? "(?:.*/)?" : glob === "*" ? "[^/]*" : "[^/]"));
  const start = body.includes("/") ? "^" : "(?:^|/)";
  return new RegExp(`${start}${source}${isFolder ? "/" : "(?:/|$)"}`).test(path);
}
