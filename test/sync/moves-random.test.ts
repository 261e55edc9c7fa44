import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change, Operation } from "../../src/core/history/record.ts";
import { composeMoves, type Recorded } from "../../src/core/history/recorded-moves.ts";
import { likeness, linesOf } from "../../src/core/notes/merge/likeness.ts";
import { mergeNotes } from "../../src/core/notes/merge/merge.ts";
import { formatTaskNumber } from "../../src/core/notes/names.ts";
import { nextTaskNumber } from "../../src/core/notes/task/file.ts";
import { sharedNumbers } from "../../src/core/notes/task/shared-numbers.ts";
import type { DocumentMove } from "../../src/core/workspace/move-check.ts";
import { findMoves } from "../../src/together/sync/identity.ts";
import { reconcile, recordedAfter } from "../../src/together/sync/reconcile.ts";
import { numRuns, SEED } from "../fixtures/num-runs.ts";
import { Lot } from "../hostile/runs.ts";

const STEPS = 300;
const FOLDERS = ["tasks", "plans", "references", "archive/tasks"];

type Files = Map<string, string>;

/** A machine, and what it last agreed on with the remote. */
interface Machine {
  files: Files;
  base: Files;
  /** What tools recorded since. */
  operations: Operation[];
  /** Paths of notes that an editor moved since. */
  edited: Set<string>;
  /** Paths of notes that took others' names from an editor: of a tool that moves them then, the history says too much. */
  mixed: Set<string>;
}

/** Rounds of machines whose blob ids are the texts themselves; every line that was written has a token. */
class World {
  remote: Files = new Map();
  readonly machines: Machine[];
  /** Tokens that must stand once, and all others that may. */
  readonly tokens = new Set<string>();
  readonly excused = new Set<string>();
  /** Of two notes that were made under one name and became one: what moves then may be taken for either. */
  readonly united = new Set<string>();
  readonly #lot: Lot;
  #count = 0;

  constructor(seed: number, machines = 2) {
    this.#lot = new Lot(seed);
    this.machines = Array.from({ length: machines }, () => {
      return { files: new Map(), base: new Map(), operations: [], edited: new Set(), mixed: new Set() };
    });
  }

  #line(): string {
    const token = `t${this.#count++}`;
    this.tokens.add(token);
    return `Line ${token} says ${this.#lot.below(1e9)}.`;
  }

  async step(): Promise<void> {
    const machine = this.#lot.pick(this.machines);
    if (this.#lot.below(12) === 0) {
      await this.round(machine);
      return;
    }
    const kinds = [
      this.#create,
      this.#edit,
      this.#edit,
      this.#move,
      this.#editorMove,
      this.#swap,
      this.#remove,
    ];
    this.#lot.pick([...kinds, this.#retitle, this.#retitle, this.#chain]).call(this, machine);
  }

  #create(machine: Machine): void {
    const { files } = machine;
    const folder = this.#lot.pick(FOLDERS.slice(0, 3));
    const path =
      folder === "tasks" ? `p/tasks/${number(files)}-${this.#name()}.md` : this.#freePath(files, folder);
    const lines = Array.from({ length: 8 }, () => this.#line());
    machine.files.set(path, `# ${path}\n\n${lines.join("\n\n")}\n`);
    record(machine, [made(path)]);
  }

  #name(): string {
    return `n${this.#lot.below(8)}`;
  }

  /** Names are few: two machines often use the same. */
  #freePath(files: Files, folder: string): string {
    for (let tries = 0; ; tries++) {
      const path = `p/${folder}/${this.#name()}${tries > 20 ? this.#lot.below(1e6) : ""}.md`;
      if (!files.has(path)) return path;
    }
  }

  #file({ files, mixed }: Machine): string | undefined {
    const paths = [...files.keys()].filter((path) => !mixed.has(path));
    return paths.length === 0 ? undefined : this.#lot.pick(paths);
  }

  #edit(machine: Machine): void {
    const path = this.#file(machine);
    if (path === undefined || machine.edited.has(path)) return;
    const lines = machine.files.get(path)?.split("\n\n") ?? [];
    // What is added to a short text is soon more than half of it.
    if (lines.length < 8) return;
    lines.splice(1 + this.#lot.below(lines.length - 1), 0, this.#line());
    machine.files.set(path, lines.join("\n\n"));
  }

  #remove(machine: Machine): void {
    const path = this.#file(machine);
    if (path === undefined || this.#lot.below(3) > 0) return;
    this.#excuse(machine.files.get(path) ?? "");
    machine.files.delete(path);
    record(machine, [removed(path)]);
  }

  #excuse(text: string): void {
    for (const token of text.match(/\bt\d+\b/g) ?? []) this.excused.add(token);
  }

  #move(machine: Machine): void {
    const from = this.#file(machine);
    if (from !== undefined) move(machine, [{ from, to: this.#placeFor(machine, from) }]);
  }

  #placeFor({ files }: Machine, from: string): string {
    const number = /\/(\d+-)/.exec(from)?.[1];
    const folder = this.#lot.pick(number === undefined ? FOLDERS.slice(1, 3) : FOLDERS);
    if (number === undefined || !folder.endsWith("tasks")) return this.#freePath(files, folder);
    const path = `p/${folder}/${number}${this.#name()}.md`;
    return files.has(path) ? from : path;
  }

  #retitle(machine: Machine): void {
    const from = this.#file(machine);
    if (from === undefined || !from.includes("/tasks/")) return;
    const to = from.replace(/-n\d+/, `-${this.#name()}`);
    if (machine.files.has(to)) return;
    const text = machine.files.get(from) ?? "";
    move(machine, [{ from, to }]);
    machine.files.set(to, text.replace(/^# .*/, `# ${to}`));
  }

  /** Tools swap by way of a third name. */
  #swap(machine: Machine): void {
    const [a, b] = [this.#file(machine), this.#file(machine)];
    if (a === undefined || b === undefined || a === b || a.includes("tasks") || b.includes("tasks")) return;
    move(machine, [
      { from: a, to: b },
      { from: b, to: a },
    ]);
  }

  /** An editor tells nobody; it changes a little. */
  #editorMove(machine: Machine): void {
    const from = this.#file(machine);
    if (from === undefined || !this.#isAlike(machine, from)) return;
    const to = this.#placeFor(machine, from);
    if (to === from) return;
    const text = machine.files.get(from) ?? "";
    machine.files.delete(from);
    machine.files.set(to, this.#lot.below(2) === 0 ? text : `${text}\n${this.#line()}\n`);
    (machine.base.has(to) ? machine.mixed : machine.edited).add(to);
  }

  /** Whether a note is still what was agreed on, but for little. */
  #isAlike({ base, files, edited, operations }: Machine, path: string): boolean {
    const [before, now] = [base.get(path), files.get(path)];
    if (before === undefined || now === undefined || edited.has(path)) return false;
    const isRecorded = operations.some(({ changes }) => changes.some((change) => change.path === path));
    return !isRecorded && likeness(linesOf(before), linesOf(now)).lines > 0.8;
  }

  #chain(machine: Machine): void {
    const [a, b] = [this.#file(machine), this.#file(machine)];
    if (a === undefined || b === undefined || a === b || a.includes("tasks") || b.includes("tasks")) return;
    if (!this.#isAlike(machine, a) || !this.#isAlike(machine, b)) return;
    const c = this.#freePath(machine.files, "plans");
    if (machine.base.has(c)) return;
    const { files } = machine;
    files.set(c, files.get(b) ?? "");
    files.set(b, files.get(a) ?? "");
    files.delete(a);
    machine.mixed.add(b).add(c);
  }

  /** Lines that stand twice, and those that are missing. */
  wrongTokens(): string[] {
    const counts = new Map<string, number>();
    for (const text of this.remote.values())
      for (const token of text.match(/\bt\d+\b/g) ?? []) counts.set(token, (counts.get(token) ?? 0) + 1);
    return [...this.tokens].flatMap((token) => {
      const count = counts.get(token) ?? 0;
      const isWrong = (count > 1 && !this.united.has(token)) || (count === 0 && !this.excused.has(token));
      return isWrong ? [`${token} stands ${count} times`] : [];
    });
  }

  #meet({ base = "", ours, theirs }: { base?: string | undefined; ours: string; theirs: string }): string {
    const { text, conflicts } = mergeNotes({ base, ours: theirs, theirs: ours }, { isSession: false });
    if (conflicts > 0) this.#excuse(ours);
    if (base === "") for (const token of text.match(/\bt\d+\b/g) ?? []) this.united.add(token);
    return conflicts > 0 ? theirs : text;
  }

  /** As a round does it; returns whether something was sent or received. */
  async round(machine: Machine): Promise<boolean> {
    let recorded: Recorded | undefined;
    for (let tries = 0; tries < 12; tries++) {
      const sides = { base: machine.base, ours: machine.files, theirs: this.remote };
      const texts = Object.values(sides).flatMap((tree) => [...tree.values()]);
      const lines = new Map(texts.map((text) => [text, linesOf(text)]));
      const known = recorded ?? composeMoves(machine.operations);
      const moves = await findMoves(sides, known, async () => lines);
      const reconciled = await reconcile(sides, { ...moves, isAgreed: true });
      const { tree, meetings, yields, isUnsettled } = reconciled;
      if (yields.length > 0) {
        move(machine, yields);
        recorded = recordedAfter(reconciled);
        continue;
      }
      for (const meeting of meetings) {
        assert.ok(!tree.has(meeting.path), `${meeting.path} twice`);
        tree.set(meeting.path, this.#meet(meeting));
      }
      const isNew = !isSame(tree, this.remote) || !isSame(tree, machine.files);
      recorded = undefined;
      this.remote = tree;
      Object.assign(machine, {
        files: new Map(tree),
        base: new Map(tree),
        operations: [],
        edited: new Set(),
        mixed: new Set(),
      });
      if (!isUnsettled) return isNew;
    }
    throw new Error("no end");
  }
}

/** Moves files as tools do, all at once. */
function move(machine: Machine, moves: readonly DocumentMove[]): void {
  const { files, edited } = machine;
  const real = moves.filter(({ from, to }) => from !== to);
  const texts = real.map(({ from }) => files.get(from) ?? "");
  const wasEdited = real.map(({ from }) => edited.delete(from));
  for (const { from } of real) files.delete(from);
  for (const [at, { to }] of real.entries()) {
    files.set(to, texts[at] ?? "");
    if (wasEdited[at]) edited.add(to);
  }
  record(machine, [...real.map(({ from }) => removed(from)), ...real.map(({ to }) => made(to))]);
}

const HASH = "0".repeat(64);
const made = (path: string): Change => ({ path, before: null, after: HASH, bytes: 0 });
const removed = (path: string): Change => ({ path, before: HASH, after: null, bytes: 1 });

function record({ operations }: Machine, changes: Change[]): void {
  operations.push({ id: "", time: "", tool: "t", client: "c", pid: 1, changes });
}

function number(files: Files): string {
  return formatTaskNumber(nextTaskNumber([...files.keys()].filter((path) => /tasks\//.test(path))));
}

function isSame(a: Files, b: Files): boolean {
  return a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);
}

/** What went wrong in a day. */
async function problemsOf(seed: number): Promise<string[]> {
  const world = new World(seed, 2 + (seed % 2));
  for (let step = 0; step < STEPS; step++) await world.step();
  for (let turn = 0; turn < 2; turn++) for (const machine of world.machines) await world.round(machine);
  const problems = world.wrongTokens();
  for (const machine of world.machines) {
    if (await world.round(machine)) problems.push("something was left");
    if (!isSame(machine.files, world.remote)) problems.push("machines differ");
  }
  const shared = sharedNumbers([...world.remote.keys()].map((path) => ({ path })));
  return [...problems, ...shared.flat().map(({ path }) => path)].map((problem) => `seed ${seed}: ${problem}`);
}

test("over random days of two or three machines every line stands once, no number twice, and all end alike", async () => {
  const problems: string[] = [];
  for (let at = 0; at < numRuns(400); at++) problems.push(...(await problemsOf(SEED + at)));
  assert.deepEqual(problems, []);
});
