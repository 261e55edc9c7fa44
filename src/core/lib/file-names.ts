/** A pattern for the end of a Markdown file's name, in any letter case. */
export const MARKDOWN_EXTENSION = "\\.(?:md|markdown)";

const EXTENSION = new RegExp(`${MARKDOWN_EXTENSION}$`, "i");

export function isMarkdown(name: string): boolean {
  return EXTENSION.test(name);
}

/** The name of the file for which `.name.icloud` stands while iCloud keeps it elsewhere. */
export function nameInCloud(name: string): string | undefined {
  return /^\.(.+)\.icloud$/.exec(name)?.[1];
}

export function withMarkdownExtension(name: string): string {
  return isMarkdown(name) ? name : `${name}.md`;
}

export function withoutMarkdownExtension(name: string): string {
  return name.replace(EXTENSION, "");
}

/** Paths with the same key may be one file: many disks ignore letter case and Unicode composition. */
export function pathKey(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
