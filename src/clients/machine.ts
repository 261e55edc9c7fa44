/** What of the machine decides where clients keep their settings, and how they can start this program. */
export interface Machine {
  platform: NodeJS.Platform;
  /** Absolute. */
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Where the command was typed, absolute. */
  folder: string;
  /** The running Node, absolute. */
  node: string;
  /** The running program, absolute, links resolved. */
  script: string;
  /** Whether npx started it: then its file is in a cache that may be emptied. */
  npx: boolean;
}
