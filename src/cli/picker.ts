import { on } from "node:events";
import { clearScreenDown, cursorTo, emitKeypressEvents, moveCursor } from "node:readline";
import { fold } from "../lib/text.ts";
import { cutColumns, textWidth } from "../lib/width.ts";
import type { CommandContext } from "./command.ts";
import { oneLine, type Paint, painter } from "./terminal.ts";

/** What a person can choose: `value` is what they would have typed. */
export interface Choice {
  value: string;
  text: string;
}

interface Key {
  name?: string;
  ctrl?: boolean;
  meta?: boolean;
}

/** What is typed, the choices that have it, and which one is marked. */
interface List {
  title: string;
  filter: string;
  found: readonly Choice[];
  at: number;
}

const MAX_ROWS = 10;
/** The size of a terminal that does not say how large it is. */
const [COLUMNS, ROWS] = [80, 24];
const STEPS: Record<string, number> = { up: -1, down: 1, pageup: -MAX_ROWS, pagedown: MAX_ROWS };

/** Shows choices that typing filters, on stdout, which must be a terminal. The chosen value, or undefined if the person cancels. */
export async function pick(
  context: CommandContext,
  title: string,
  choices: readonly Choice[],
): Promise<string | undefined> {
  const { stdin, stdout } = context.terminal;
  let list: List = { title, filter: "", found: choices, at: 0 };
  emitKeypressEvents(stdin);
  const keys = on(stdin, "keypress", { close: ["end"] });
  stdin.setRawMode(true).resume();
  try {
    draw(list, stdout, painter(context));
    for await (const [typed, key] of keys as AsyncIterable<[string | undefined, Key]>) {
      if (isCancel(key)) return undefined;
      const chosen = isEnter(key) ? list.found[list.at] : undefined;
      if (chosen !== undefined) return chosen.value;
      list = afterKey(list, choices, { typed, key });
      draw(list, stdout, painter(context));
    }
    return undefined;
  } finally {
    stdin.setRawMode(false).pause();
    erase(stdout);
  }
}

function isCancel({ name, ctrl }: Key): boolean {
  return name === "escape" || (ctrl === true && (name === "c" || name === "d"));
}

function isEnter({ name }: Key): boolean {
  return name === "return" || name === "enter";
}

function afterKey(
  list: List,
  choices: readonly Choice[],
  { typed, key }: { typed: string | undefined; key: Key },
): List {
  const step = STEPS[key.name ?? ""];
  const last = Math.max(0, list.found.length - 1);
  if (step !== undefined) return { ...list, at: Math.min(last, Math.max(0, list.at + step)) };
  const filter = edited(list.filter, typed, key);
  if (filter === list.filter) return list;
  return { ...list, filter, found: matching(choices, filter), at: 0 };
}

function edited(filter: string, typed: string | undefined, { name, ctrl, meta }: Key): string {
  if (name === "backspace") return Array.from(filter).slice(0, -1).join("");
  if (ctrl && name === "u") return "";
  const isText = typed !== undefined && !ctrl && !meta && !/\p{C}/u.test(typed);
  return isText ? filter + typed : filter;
}

/** Those that contain each word; case and accents are ignored. */
function matching(choices: readonly Choice[], filter: string): readonly Choice[] {
  const words = fold(filter).split(/\s+/);
  return choices.filter(({ text }) => words.every((word) => fold(text).includes(word)));
}

/** Draws below the line of the cursor, which stays behind what is typed. */
function draw(list: List, stdout: NodeJS.WriteStream, paint: Paint): void {
  const [head = "", ...rows] = linesOf(list, stdout, paint);
  erase(stdout);
  stdout.write([head, ...rows].join("\n"));
  moveCursor(stdout, 0, -rows.length);
  cursorTo(stdout, textWidth(head));
}

function erase(stdout: NodeJS.WriteStream): void {
  cursorTo(stdout, 0);
  clearScreenDown(stdout);
}

function linesOf({ title, filter, found, at }: List, stdout: NodeJS.WriteStream, paint: Paint): string[] {
  // The last column stays free: some terminals break the line after it.
  const fitting = (text: string) => cutColumns(text, (stdout.columns || COLUMNS) - 1);
  const count = Math.max(1, Math.min(MAX_ROWS, (stdout.rows || ROWS) - 2));
  const first = Math.max(0, at - count + 1);
  const rows = found.slice(first, first + count).map(({ text }, row) => {
    const isMarked = first + row === at;
    return paint(isMarked ? "bold" : [], fitting(`${isMarked ? "›" : " "} ${oneLine(text)}`));
  });
  const hint = found.length === 0 ? "No match: Backspace" : `${at + 1} of ${found.length}: Enter`;
  return [fitting(`${title}: ${filter}`), ...rows, paint("dim", fitting(`${hint}, or Esc to cancel`))];
}
