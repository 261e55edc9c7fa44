import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** An item that a real disk may hold. Each is named `<word>`, a word that no other item holds. */
export interface Item {
  name: string;
  /** Below the project's folder. */
  path: string;
  content: string | Buffer;
  /** What the server must do with it: find it by its word and read it, or name it once in the log. */
  expect: "found" | "named";
  /** The word to search for. */
  find: string;
  /** What a read returns, if not the text itself. */
  reads?: RegExp;
}

const yaml = (block: string) => (word: string) => `---\n${block}\n---\n# Heading\n\n${word}\n`;
const bytes = (before: number[], after: number[]) => (word: string) =>
  Buffer.concat([Buffer.from(before), Buffer.from(` ${word} `), Buffer.from(after)]);
const utf16 = (word: string) => Buffer.from(`\uFEFF# ${word}\r\n\r\nあ ${word}\r\n`, "utf16le");
const many = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("\n");
const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${many(12, (n) => `a${n}: &a${n} [${"*a ".repeat(9).trim().replaceAll(" ", ",")}]`)}`;

/** Unusual contents by name, made around a word to find. */
const CONTENTS: Record<string, (word: string) => string | Buffer> = {
  "a byte order mark": (word) => `\uFEFF---\ntags: [a]\n---\n# ${word}\n`,
  CRLF: (word) => `---\r\ntags: [a]\r\n---\r\n# A\r\n\r\n${word}\r\n`,
  "lone CR": (word) => `# A\r\r${word}\r`,
  "invalid UTF-8": bytes([0xfd, 0xff, 0xc0, 0xaf], [0xed, 0xa0, 0x80, 0xf5]),
  "Latin-1": bytes([0x63, 0xf3, 0x6d, 0x6f], [0xe9]),
  "UTF-16 little-endian": utf16,
  "UTF-16 big-endian": (word) => utf16(word).swap16(),
  "NUL bytes": (word) => `# A\0B\n\n\0\0 ${word} \0`,
  "control characters": (word) => `\u001b[31m \u0007 ${word} \u007f\u0085\u2028\u2029`,
  "lone surrogates as text": (word) => `\\ud800 \uFFFD ${word}`,
  "right-to-left marks": (word) => `\u202E\u2066 ${word} \u202C`,
  "broken YAML": yaml("a: [1, 2\nb: {"),
  "YAML with tabs": yaml("a:\n\t- b"),
  "YAML with aliases": yaml("a: &a {b: 1}\nc: *a"),
  "YAML that grows without bound": yaml(bomb),
  "YAML that contains itself": yaml("a: &a [*a]"),
  "YAML with foreign tags": yaml("a: !!js/function 'x'\nb: !!python/object:os.system [ls]\nc: !!binary aGk="),
  "huge YAML": (word) => yaml(many(9_000, (n) => `key${n}: "${"v".repeat(20)}"`))(word),
  "a list for YAML": yaml("- a\n- b"),
  "a text for YAML": yaml("just words"),
  "fields of other kinds": yaml("title: [a]\nstatus: {a: 1}\ntags: {a: b}\nowner: [x]\ntype: 5\nupdated: {}"),
  "dates and numbers": yaml(
    "title: 2025-01-01\nstatus: 1\nowner: 0x10\nupdated: 2025-02-30\ntags: [1, 2.5, true, null]",
  ),
  "merge keys": yaml("base: &b {status: done}\n<<: *b\ntags: [a]"),
  "duplicate keys": yaml("status: done\nstatus: pending"),
  "keys of the object prototype": yaml("__proto__: {a: 1}\nconstructor: x\ntoString: y"),
  "deep YAML": yaml(`a: ${"[".repeat(500)}${"]".repeat(500)}`),
  "several YAML documents": yaml("a: 1\n--- # b\nb: 2"),
  "rulers in the body": (word) => `# A\n\n---\n\n---\nstatus: done\n---\n\n${word}\n`,
  "frontmatter that never ends": (word) => `---\ntags: [a]\n\n${word}\n`,
  "only frontmatter": (word) => `---\ntitle: ${word}\n---\n`,
  "5 MB on one line": (word) => `${"lorem ipsum ".repeat(430_000)}${word}`,
  "5 MB without a space": (word) => `${word}\n${"x".repeat(5_000_000)}`,
  "5 MB of unspaced script": (word) => `${word}\n${"認証".repeat(800_000)}`,
  "10,000 headings": (word) => many(10_000, (n) => `# Heading ${n}${n === 9_999 ? ` ${word}` : ""}\n\ntext`),
  "10,000 empty headings": (word) => `${"#\n".repeat(10_000)}\n${word}`,
  "headings in fences": (word) => `\`\`\`\n# no\n\`\`\`\n~~~~\n## no\n~~~\n### no\n~~~~\n${word}`,
  "a fence that never ends": (word) => `\`\`\`\n# no\n${"line\n".repeat(2000)}${word}`,
  "a fence in a list item": (word) => `- \`\`\`js\n  # no\n  \`\`\`\n\n# ${word}\n`,
  "a comment that never ends": (word) => `<!-- a\n# A\n${word}`,
  "underlined headings": (word) => `${word}\n===\n\nB\n---\n\n- c\n---\n`,
  "deep lists and quotes": (word) => `${"> ".repeat(2000)}a\n${"- ".repeat(2000)}b\n${word}`,
  "100,000 blank lines": (word) => `${"\n".repeat(100_000)}${word}`,
  "FTS5 syntax": (word) => `"NEAR(" OR AND * ^ {a}: ${word} -- ; DROP TABLE documents; '`,
  "a very long word": (word) => `${"ab".repeat(40_000)} ${word}`,
};

const NAMES: Record<string, string> = {
  "spaces in its name": "  with  spaces .md",
  "a name that macOS cannot tell from the next": "twin-\u00e9.md",
  "a name that macOS cannot tell from the one before": "twin-e\u0301.md",
  "quotes and signs in its name": `it's "so" <b>&?*|.md`,
  "a colon in its name": "10:30.md",
  "a backslash in its name": "a\\b.md",
  "a line break in its name": "a\nb.md",
  "escape sequences in its name": "a\u001b[31mred.md",
  "a name like an option": "--help.md",
};

const text = (word: string) => `# A\n\n${word}\n`;

/** Words of only letters, so that each is one term and none contains another. */
export function wordOf(number: number): string {
  const letters = [...String(number).padStart(3, "0")].map((digit) => "bcdfghjklm"[Number(digit)]);
  return `qu${letters.join("o")}ax`;
}

/** All items: `content` holds the item's word, and `find` says how to search for it. */
export function hostileItems(): Item[] {
  const contents = Object.entries(CONTENTS).map(([name, content], n) => {
    const find = wordOf(n);
    return { name, path: `contents/${n}.md`, content: content(find), find, expect: "found" as const };
  });
  const named = Object.entries(NAMES).map(([name, file], n) => {
    const find = wordOf(100 + n);
    const expect = /\p{Cc}/u.test(file) ? ("named" as const) : ("found" as const);
    return { name, path: `names/${file}`, content: text(find), find, expect };
  });
  const empty = {
    name: "an empty file",
    path: "void/empty.md",
    content: "",
    expect: "found",
    find: "empty",
  } as const;
  return [...contents, ...named, { ...empty, reads: /^$/ }];
}

/** Puts an item on disk; false if this disk cannot hold it beside the other items. */
export function place(root: string, item: Item): boolean {
  const file = join(root, ...item.path.split("/"));
  if (
    process.platform === "win32" &&
    /[\\:*?"<>|\p{Cc}]|[ .]\.md$|^con\./u.test(item.path.split("/").at(-1) ?? "")
  )
    return false;
  mkdirSync(dirname(file), { recursive: true });
  // This disk cannot tell it from another item.
  if (existsSync(file)) return false;
  writeFileSync(file, item.content);
  return true;
}
