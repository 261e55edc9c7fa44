import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { placeBuilt } from "./built.ts";
import { temporaryFolder } from "./workspace.ts";

/** Why there is no pseudo-terminal here; false where there is one. */
export function noTerminal(): string | false {
  const { status } = spawnSync("python3", ["-c", "import pty, termios"]);
  return status === 0 ? false : "python3 with its pty module makes the pseudo-terminal, and is missing";
}

const FIXED_CLOCK = `const Real = Date;
const now = Real.parse("2025-02-10T09:00:00Z");
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(now) : super(...given); }
  static now() { return now; }
};`;

export interface Typed {
  /** Where it is typed. */
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  /** Of the terminal. */
  columns?: number;
  /** What is typed when a text appears on the terminal. */
  answer?: readonly [prompt: string, text: string];
}

export interface Person {
  /** The workspace, which need not exist; `VIBE_ROOT` names it. */
  root: string;
  cwd: string;
  /** The built program at nine on the tenth of February 2025. */
  inPipe: (args: readonly string[], typed?: Typed) => SpawnSyncReturns<string>;
  onTerminal: (args: readonly string[], typed?: Typed) => SpawnSyncReturns<string>;
  /** With what differs from run to run replaced. */
  normal: (output: string) => string;
}

/** Somebody who types `vibe-mcp` in an empty folder, over a workspace at `root`. */
export function person(t: TestContext, root = join(temporaryFolder(t), "vibe")): Person {
  const [home, program, cwd] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const file = join(program, "vibe-mcp");
  const clock = join(program, "clock.cjs");
  placeBuilt(file);
  writeFileSync(clock, FIXED_CLOCK);
  const command = [process.execPath, "--require", clock, file];
  const settings = ({ cwd: place = cwd, env = {}, input = "" }: Typed) => ({
    cwd: place,
    env: { HOME: home, USERPROFILE: home, PATH: process.env["PATH"], TZ: "UTC", VIBE_ROOT: root, ...env },
    encoding: "utf8" as const,
    input,
    // What hangs fails, on a busy machine too.
    timeout: 120_000,
    killSignal: "SIGKILL" as const,
  });
  return {
    root,
    cwd,
    inPipe: (args, typed = {}) =>
      spawnSync(process.execPath, [...command.slice(1), ...args], settings(typed)),
    onTerminal: (args, typed = {}) => {
      const { columns = 100, answer = ["", ""] } = typed;
      const script = [resolve("test", "support", "terminal.py"), String(columns), ...answer];
      const env = { TERM: "xterm-256color", ...typed.env };
      return spawnSync("python3", [...script, ...command, ...args], settings({ ...typed, env }));
    },
    normal: (output) =>
      output
        .replaceAll("\r\n", "\n")
        .replaceAll("\x1b", "␛")
        .replaceAll("\r", "␍")
        .replaceAll(/(?:␍[█░]+ \d+ of \d+ files)+/g, "␍BAR")
        .replaceAll(root, "ROOT")
        .replaceAll(cwd, "FOLDER")
        .replaceAll(process.version, "VERSION")
        .replaceAll(/\d+(?:\.\d+)? (?=ms\b|MB\b)/g, "N ")
        .replaceAll(/("(?:score|duration_ms)": )[\d.]+/g, "$1N"),
  };
}
