/** A tag as it is compared: `area/api` for ` #Area/API`. */
export function plainTag(written: string): string {
  return written
    .normalize("NFC")
    .trim()
    .replace(/^#(?=\S)/, "")
    .toLowerCase();
}

/** A tag stands for those below it, too: `area` for `area/api`. */
export function isUnderTag(tag: string, wanted: string): boolean {
  return tag === wanted || tag.startsWith(`${wanted}/`);
}
