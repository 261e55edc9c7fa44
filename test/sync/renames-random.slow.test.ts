import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { sharedNumbers } from "../../src/core/notes/task/shared-numbers.ts";
import { hashOf } from "../../src/core/storage/read.ts";
import { bareRepository, filesOf, imageOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { isNightly, numRuns, SEED } from "../fixtures/num-runs.ts";
import { Lot } from "../hostile/runs.ts";

const STEPS = isNightly ? 200 : 80;

const nameOf = (path: string) => basename(path, ".md");
const tokensIn = (text: string): string[] => text.match(/\btok\d+\b/g) ?? [];

/** What two people do to their notes, at random; every line that is written has a token. */
class Day {
  readonly tokens: string[] = [];
  /** Tokens of notes that were removed, or gave way to a text that contradicts them. */
  readonly excused = new Set<string>();
  readonly problems: string[] = [];
  /** All names that a note had, by its first token. */
  readonly #names = new Map<string, string[]>();
  /** First tokens of notes that were removed. */
  readonly #removed = new Set<string>();
  /** What machines had after their last rounds. */
  readonly #shared = new Map<Machine, string[]>();
  readonly #lot: Lot;
  #count = 0;

  constructor(seed: number) {
    this.#lot = new Lot(seed);
  }

  async step(machines: readonly Machine[]): Promise<void> {
    const machine = this.#lot.pick(machines);
    if (this.#lot.below(12) === 0) {
      await this.sync(machine);
      return;
    }
    const kinds = [this.#write, this.#edit, this.#link, this.#move, this.#rename, this.#task, this.#tick];
    await this.#lot
      .pick([...kinds, this.#edit, this.#retitle, this.#remove, this.#archive])
      .call(this, machine);
  }

  /** Whether something was sent or received. */
  async sync(machine: Machine): Promise<boolean> {
    const before = tokensIn(textOf(machine));
    const { problem, refused, kept, sent, received } = await machine.sync();
    if (problem !== undefined || refused.length > 0)
      this.problems.push(`${problem} ${JSON.stringify(refused)}`);
    const after = new Set(tokensIn(textOf(machine)));
    if (kept.length > 0) for (const token of before) if (!after.has(token)) this.excused.add(token);
    this.#shared.set(machine, filesOf(machine.root));
    return sent.length + received.length > 0;
  }

  #line(): string {
    const token = `tok${this.tokens.length}`;
    this.tokens.push(token);
    return `Line ${token} says ${this.#lot.below(1e9)}.`;
  }

  #name(): string {
    return `note-${this.#count++}`;
  }

  #file({ root }: Machine, pattern = /\.md$/): string | undefined {
    const paths = filesOf(root).filter((path) => pattern.test(path) && !path.endsWith("status.md"));
    return paths.length === 0 ? undefined : this.#lot.pick(paths);
  }

  #write({ root }: Machine): void {
    const file = join(root, "p", this.#lot.pick(["references", "plans"]), `${this.#name()}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `# Note\n\n${Array.from({ length: 8 }, () => this.#line()).join("\n\n")}\n`);
  }

  #edit(machine: Machine, line = this.#line()): void {
    const path = this.#file(machine, /(?:references|plans)\//);
    const lines = path === undefined ? [] : readFileSync(join(machine.root, path), "utf8").split("\n\n");
    if (path === undefined || lines.length < 8) {
      this.#excuse(line);
      return;
    }
    lines.splice(2 + this.#lot.below(lines.length - 2), 0, line);
    writeFileSync(join(machine.root, path), lines.join("\n\n"));
  }

  #excuse(text: string): void {
    for (const token of tokensIn(text)) this.excused.add(token);
  }

  #link(machine: Machine): void {
    const to = this.#file(machine);
    if (to !== undefined) this.#edit(machine, `${this.#line()} See [[${nameOf(to)}]].`);
  }

  async #move(machine: Machine): Promise<void> {
    const path = this.#file(machine, /(?:references|plans)\//);
    if (path === undefined) return;
    const to_filename = `${this.#name()}.md`;
    this.#named(machine, path, to_filename);
    await machine.call("move_doc", { path, to_folder: this.#lot.pick(["references", "plans"]), to_filename });
  }

  /** An editor tells nobody: of two renames between rounds, the name between them is not known. */
  #rename(machine: Machine): void {
    const path = this.#file(machine, /(?:references|plans)\//);
    if (path === undefined || !this.#shared.get(machine)?.includes(path)) return;
    const to = `p/references/${this.#name()}.md`;
    this.#named(machine, path, to);
    mkdirSync(dirname(join(machine.root, to)), { recursive: true });
    renameSync(join(machine.root, path), join(machine.root, to));
  }

  async #task(machine: Machine): Promise<void> {
    const steps = [this.#line(), this.#line(), this.#line()];
    await machine.call("create_task", { project: "p", title: this.#name(), objective: this.#line(), steps });
  }

  async #tick(machine: Machine): Promise<void> {
    const task = this.#file(machine, /p\/tasks\//);
    if (task === undefined) return;
    const args = { project: "p", task: basename(task), done_steps: [1 + this.#lot.below(3)] };
    await machine.call("update_task", args);
  }

  async #retitle(machine: Machine): Promise<void> {
    const path = this.#file(machine, /p\/tasks\//);
    if (path === undefined) return;
    const title = this.#name();
    this.#named(machine, path, path.replace(/note-\d+/, title));
    await machine.call("update_task", { project: "p", task: basename(path), title });
  }

  async #archive(machine: Machine): Promise<void> {
    const task = this.#file(machine, /p\/tasks\//);
    if (task === undefined) return;
    await machine.call("update_task_status", { project: "p", task: basename(task), status: "done" });
    await machine.call("archive_tasks", { project: "p", done_before: "2999-01-01" });
  }

  async #remove(machine: Machine): Promise<void> {
    const path = this.#file(machine);
    if (path === undefined || this.#lot.below(2) === 0) return;
    const text = readFileSync(join(machine.root, path), "utf8");
    this.#excuse(text);
    this.#removed.add(this.#named(machine, path));
    await machine.call("delete_doc", { path, expected_hash: hashOf(Buffer.from(text)).slice(0, 16) });
  }

  /** Whether a link to a note of this name may lead nowhere. */
  isRemoved(name: string): boolean {
    return [...this.#removed].some((token) => this.#names.get(token)?.includes(name));
  }

  /** The first token of a note, by which its names are remembered. */
  #named({ root }: Machine, ...paths: [string, ...string[]]): string {
    const tokens = tokensIn(readFileSync(join(root, paths[0]), "utf8"));
    const token = tokens.sort((a, b) => Number(a.slice(3)) - Number(b.slice(3)))[0] ?? "";
    this.#names.set(token, [...(this.#names.get(token) ?? []), ...paths.map(nameOf)]);
    return token;
  }
}

function textOf({ root }: Machine): string {
  return filesOf(root)
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
}

/** The links that lead nowhere, as written. */
async function brokenLinks({ root, call }: Machine): Promise<string[]> {
  const links: string[] = [];
  for (const path of filesOf(root)) {
    const { broken_links = [] } = await call("read_doc", { path });
    for (const { link } of broken_links as { link: string }[]) links.push(`${path}: ${link}`);
  }
  return links;
}

async function live(t: TestContext, day: Day): Promise<[Machine, Machine]> {
  const remote = bareRepository(t);
  const machines: [Machine, Machine] = [
    await startMachine(t, { name: "ana", remote, files: { "p/status.md": "# P\n" } }),
    await startMachine(t, { name: "ben", remote, files: {} }),
  ];
  for (let step = 0; step < STEPS; step++) await day.step(machines);
  for (const machine of [...machines, ...machines]) await day.sync(machine);
  return machines;
}

for (let seed = SEED; seed < SEED + numRuns(10); seed++)
  test(`every line stands once, no number twice, no link is broken: random renames, seed ${seed}`, {
    skip: noGit,
  }, async (t) => {
    const day = new Day(seed);
    const [ana, ben] = await live(t, day);
    assert.deepEqual(day.problems, []);
    for (const machine of [ana, ben]) assert.ok(!(await day.sync(machine)), "something was left");
    assert.deepEqual(imageOf(ben.root), imageOf(ana.root));
    assert.deepEqual(sharedNumbers(filesOf(ana.root).map((path) => ({ path }))), []);
    const all = tokensIn(textOf(ana));
    assert.deepEqual(
      all.filter((token, at) => all.indexOf(token) !== at),
      [],
    );
    const present = new Set([...all, ...day.excused]);
    assert.deepEqual(
      day.tokens.filter((token) => !present.has(token)),
      [],
    );
    const broken = await brokenLinks(ana);
    assert.deepEqual(
      broken.filter((link) => !day.isRemoved(/\[\[(.*?)\]\]/.exec(link)?.[1] ?? "")),
      [],
    );
  });
