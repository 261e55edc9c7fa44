import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readBlob } from "../../src/core/history/blobs.ts";
import { listVersions } from "../../src/core/history/versions.ts";
import { hashOf } from "../../src/core/storage/read.ts";
import { builtFile } from "../fixtures/built.ts";
import { bareRepository, filesOf, imageOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { isNightly, numRuns, SEED } from "../fixtures/num-runs.ts";
import { Lot } from "../hostile/runs.ts";

const OPERATIONS = isNightly ? 150 : 60;
const STATUSES = ["pending", "in-progress", "review", "done", "blocked"];
/** What a tool may answer when others were faster. */
const ORDINARY = /CONFLICT|NOT_FOUND|EXISTS|has this place already/;

/** What three people do, at random; every text that was acknowledged has a token. */
class Day {
  readonly tokens: string[] = [];
  readonly problems: string[] = [];
  /** All names that a note had, by its first token. */
  readonly #names = new Map<string, string[]>();
  /** First tokens of notes that somebody deleted. */
  readonly #removed = new Set<string>();
  readonly #lot: Lot;
  readonly #seed: number;
  readonly #remote: string;
  #isOffline = false;

  constructor(seed: number, remote: string) {
    this.#remote = remote;
    this.#seed = seed;
    this.#lot = new Lot(seed);
  }

  /** Syncs, alone, all at once, during a change or killed amid it, or changes something. */
  async step(machines: readonly Machine[]): Promise<void> {
    const machine = this.#lot.pick(machines);
    const kind = this.#lot.below(20);
    if (kind < 3) await this.sync(machine);
    else if (kind === 3) await Promise.all(machines.map((each) => this.sync(each)));
    else if (kind === 4) await Promise.all([this.sync(machine), this.change(machine)]);
    else if (kind === 5) await this.syncKilled(machine);
    else if (kind === 6) this.connect(this.#isOffline);
    else await this.change(machine);
  }

  /** Offline, nobody reaches the remote. */
  connect(isOnline: boolean): void {
    if (isOnline !== this.#isOffline) return;
    const away = `${this.#remote}.away`;
    if (isOnline) renameSync(away, this.#remote);
    else renameSync(this.#remote, away);
    this.#isOffline = !isOnline;
  }

  async sync(machine: Machine): Promise<void> {
    const { problem, refused } = await machine.sync();
    if (this.#isOffline !== (problem !== undefined)) this.problems.push(`${machine.name}: ${problem}`);
    if (refused.length > 0) this.problems.push(JSON.stringify(refused));
  }

  async syncKilled({ root, env, program }: Machine): Promise<void> {
    const child = spawn(process.execPath, [program, "sync", "--root", root], { env, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await Promise.race([ended, sleep(100 + this.#lot.below(1500))]);
    child.kill("SIGKILL");
    await ended;
  }

  async change(machine: Machine): Promise<void> {
    const kinds = [this.#task, this.#append, this.#edit, this.#status, this.#move];
    const more = [this.#remove, this.#log, this.#archive, this.#attach, this.#link];
    await this.#lot.pick([...kinds, ...more]).call(this, machine);
  }

  #token(): string {
    const token = `token${this.#seed}x${this.tokens.length}`;
    this.tokens.push(token);
    return token;
  }

  /** What is refused is not acknowledged. */
  async #call(machine: Machine, name: string, args: Record<string, unknown>): Promise<void> {
    try {
      await machine.call(name, args);
    } catch (error) {
      const { message } = error as Error;
      const [token] = /token\d+x\d+/.exec(JSON.stringify(args)) ?? [];
      if (token !== undefined) this.tokens[this.tokens.indexOf(token)] = "Status";
      if (!ORDINARY.test(message)) this.problems.push(message);
    }
  }

  #file({ root }: Machine, pattern: RegExp): string | undefined {
    return this.#lot.pick(filesOf(root).filter((path) => pattern.test(path)));
  }

  #task(machine: Machine): Promise<void> {
    const title = `Task ${this.#lot.below(1000)}`;
    return this.#call(machine, "create_task", { project: "p", title, objective: this.#token() });
  }

  /** An editor knows nothing of locks. */
  #append({ root }: Machine): void {
    const file = join(root, `p/references/note-${this.#lot.below(30)}.md`);
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `Line ${this.#token()}\n\n`);
  }

  #edit(machine: Machine): void {
    const path = this.#file(machine, /\.md$/);
    if (path === undefined) return;
    const lines = readFileSync(join(machine.root, path), "utf8").split("\n");
    const at = this.#lot.below(lines.length);
    if (!/^(?:---|\w+:|# )/.test(lines[at] ?? "")) lines[at] = `${lines[at]} ${this.#token()}`;
    writeFileSync(join(machine.root, path), lines.join("\n"));
  }

  async #status(machine: Machine): Promise<void> {
    const task = this.#file(machine, /tasks\/\d+.*\.md$/)
      ?.split("/")
      .at(-1);
    const status = this.#lot.pick(STATUSES);
    if (task !== undefined) await this.#call(machine, "update_task_status", { project: "p", task, status });
  }

  async #move(machine: Machine): Promise<void> {
    const path = this.#file(machine, /references\/.*\.md$/);
    const to_filename = `note-${30 + this.#lot.below(60)}.md`;
    if (path === undefined) return;
    this.#named(machine, path, to_filename);
    await this.#call(machine, "move_doc", { path, to_filename });
  }

  async #remove(machine: Machine): Promise<void> {
    const path = this.#file(machine, /references\/.*\.md$/);
    if (path === undefined) return;
    this.#removed.add(this.#named(machine, path));
    const expected_hash = hashOf(readFileSync(join(machine.root, path))).slice(0, 16);
    await this.#call(machine, "delete_doc", { path, expected_hash });
  }

  /** The first token of a note, whose names are remembered. */
  #named({ root }: Machine, path: string, ...more: string[]): string {
    const [token = ""] = /token\d+x\d+/.exec(readFileSync(join(root, path), "utf8")) ?? [];
    this.#names.set(token, [...(this.#names.get(token) ?? []), ...[path, ...more].map(nameOf)]);
    return token;
  }

  /** Whether a link to a note of this name may lead nowhere. */
  isRemoved(name: string): boolean {
    return [...this.#removed].some((token) => this.#names.get(token)?.includes(name));
  }

  #link(machine: Machine): void {
    const [from, to] = [this.#file(machine, /\.md$/), this.#file(machine, /references\/.*\.md$/)];
    if (from === undefined || to === undefined) return;
    appendFileSync(join(machine.root, from), `\nSee [[${nameOf(to)}]], ${this.#token()}.\n`);
  }

  #log(machine: Machine): Promise<void> {
    return this.#call(machine, "log_session", { project: "p", content: `Did ${this.#token()}` });
  }

  #archive(machine: Machine): Promise<void> {
    return this.#call(machine, "archive_tasks", { project: "p", done_before: "2999-01-01" });
  }

  #attach({ root }: Machine): void {
    mkdirSync(join(root, "p/assets"), { recursive: true });
    writeFileSync(
      join(root, `p/assets/${this.#lot.below(5)}.bin`),
      Buffer.from([this.#lot.below(256), 0, 255]),
    );
  }
}

const nameOf = (path: string) => basename(path, ".md");

/** The links that lead nowhere, as written. */
async function brokenLinks({ root, call }: Machine): Promise<string[]> {
  const links: string[] = [];
  for (const path of filesOf(root).filter((path) => path.endsWith(".md"))) {
    const { broken_links = [] } = await call("read_doc", { path });
    for (const { link } of broken_links as { link: string }[]) links.push(`${path}: ${link}`);
  }
  return links;
}

async function historyTexts(root: string): Promise<string> {
  const { versions } = await listVersions({ root, state: undefined }, {}, { offset: 0, limit: 100_000 });
  return versions
    .flatMap(({ before, bytes }) => (before === null ? [] : [readBlob(root, before, bytes)]))
    .join("\n");
}

for (let seed = SEED; seed < SEED + numRuns(10); seed++)
  test(`three machines end with the same notes, and nothing is lost, seed ${seed}`, {
    skip: noGit,
  }, async (t) => {
    const remote = bareRepository(t);
    const machines: Machine[] = [];
    for (const name of ["ana", "ben", "cho"])
      machines.push(await startMachine(t, { name, remote, program: builtFile(t) }));
    const day = new Day(seed, remote);
    for (let step = 0; step < OPERATIONS; step++) await day.step(machines);
    day.connect(true);
    for (let round = 0; round < 3; round++) for (const machine of machines) await day.sync(machine);

    assert.deepEqual(day.problems, []);
    const [first, ...others] = machines.map(({ root }) => imageOf(root));
    for (const other of others) assert.deepEqual(other, first);
    const paths = Object.keys(first ?? {});
    const numbers = paths.flatMap((path) => /tasks\/(?:.*\/)?(\d+)-[^/]*$/.exec(path)?.[1] ?? []);
    assert.equal(new Set(numbers).size, numbers.length, paths.join("\n"));
    const texts = paths.map((path) => readFileSync(join(machines[0]?.root ?? "", path), "utf8")).join("\n");
    const histories = await Promise.all(machines.map(({ root }) => historyTexts(root)));
    // An editor may append to a last line that has no end.
    const all = new Set(`${texts}\n${histories.join("\n")}`.match(/token\d+x\d+|Status/g));
    assert.deepEqual(
      day.tokens.filter((token) => !all.has(token)),
      [],
    );
    assert.doesNotMatch(texts, /^<{7} /m);
    const broken = await brokenLinks(machines[0] as Machine);
    assert.deepEqual(
      broken.filter((link) => !day.isRemoved(/\[\[(.*?)\]\]/.exec(link)?.[1] ?? "")),
      [],
    );
  });
