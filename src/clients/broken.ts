/** Settings that are not what their format says, or hold something else where servers belong. */
export class BrokenSettings extends Error {
  /** Counted from one; undefined where the place cannot be told. */
  readonly line: number | undefined;

  constructor(reason: string, line?: number) {
    super(reason);
    this.line = line;
  }
}

/** The line of a place in a text, counted from one. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
