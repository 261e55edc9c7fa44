import { localDate } from "../../core/lib/clock.ts";
import { setMostRecent } from "../../core/lib/collections.ts";
import { maskSecrets } from "../../core/lib/secrets.ts";
import { oneLine } from "../../core/markdown/embed.ts";
import { shorten } from "../../core/notes/short-text.ts";
import { commitSubjects } from "./commands.ts";
import type { Call, Fact, Outcome, Tokens } from "./fact.ts";
import { type TaskUse, taskUse } from "./task-use.ts";

/** What happened in a session on one day; secrets are masked. */
export interface SessionDay {
  /** `YYYY-MM-DD` */
  day: string;
  from: Date;
  to: Date;
  /** What the person asked, in order, each on one line. */
  asks: readonly string[];
  /** What the agent said last. */
  said: string;
  /** As the agent named them, in the order of their first change. */
  files: readonly string[];
  /** The subjects of commits, each once: a record may repeat another. */
  commits: readonly string[];
  /** Commands that failed when they ran last. */
  failed: readonly string[];
  tasks: readonly TaskUse[];
  /** Whether the agent logged the session itself. */
  isLogged: boolean;
  models: readonly string[];
  tokens: Tokens;
}

/** Facts about the session itself are for others. */
type DayFact = Exclude<Fact, { is: "session" | "helper" | "folder" | "unknown" }>;

const MAX_READ = 20_000;
const MAX_ASK = 300;
const MAX_COMMAND = 160;
/** Of each kind and day. */
const MAX_KEPT = 500;
const MAX_PENDING = 1_000;

const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0 };

/** Gathers what a session's records say, by local day; `after` holds per day the time up to which they are left out. */
export function sessionDays(after: ReadonlyMap<string, Date> = new Map()) {
  const gathered: Gathered = { days: new Map(), calls: new Map(), total: NO_TOKENS };
  return {
    add: (fact: DayFact, time: Date) => {
      const last = gathered.total;
      if (fact.is === "total") gathered.total = fact.tokens;
      const end = after.get(localDate(time));
      if (end === undefined || time > end) addTo(dayAt(gathered.days, time), fact, { ...gathered, last });
    },
    /** Those on which a person asked something, oldest first. */
    list: (): SessionDay[] =>
      [...gathered.days]
        .filter(([, { asks }]) => asks.length > 0)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, day]) => finished(name, day)),
  };
}

interface Gathered {
  days: Map<string, Day>;
  /** Those without an answer so far. */
  calls: Map<string, Call>;
  /** The tokens of the session so far. */
  total: Tokens;
}

function dayAt(days: Map<string, Day>, time: Date): Day {
  const name = localDate(time);
  const day = days.get(name) ?? newDay(time);
  days.set(name, day);
  if (time < day.from) day.from = time;
  if (time > day.to) day.to = time;
  return day;
}

function addTo(day: Day, fact: DayFact, { calls, last }: Gathered & { last: Tokens }): void {
  if (fact.is === "called") setMostRecent(calls, MAX_PENDING, [fact.id, fact.call]);
  else if (fact.is === "answered") {
    const call = calls.get(fact.id);
    calls.delete(fact.id);
    if (call !== undefined && fact.outcome !== "refused") addCall(day, call, fact.outcome);
  } else if (fact.is === "total") day.total = sum(day.total, fact.tokens, last);
  else addFact(day, fact);
}

type Day = ReturnType<typeof newDay>;

function newDay(time: Date) {
  return {
    from: time,
    to: time,
    asks: [] as string[],
    said: "",
    files: new Set<string>(),
    commits: new Set<string>(),
    commands: new Map<string, Outcome>(),
    tasks: new Map<string, TaskUse>(),
    isLogged: false,
    models: new Set<string>(),
    messages: new Map<string, Tokens>(),
    total: NO_TOKENS,
  };
}

function addFact(day: Day, fact: Exclude<DayFact, { is: "called" | "answered" | "total" }>): void {
  if (fact.is === "asked") {
    const ask = shown(fact.text, MAX_ASK);
    // A session that goes on elsewhere repeats its last question.
    if (day.asks.length < MAX_KEPT && day.asks.at(-1) !== ask) day.asks.push(ask);
  } else if (fact.is === "said") day.said = fact.text.trim() === "" ? day.said : fact.text.slice(0, MAX_READ);
  else if (fact.is === "model") keep(day.models, shown(fact.model, 80));
  else day.messages.set(fact.message, fact.tokens);
}

function addCall(day: Day, call: Call, outcome: Outcome): void {
  if (call.command !== undefined) addCommand(day, call.command, outcome);
  if (outcome !== "done") return;
  if (call.tool === "log_session") day.isLogged = true;
  for (const file of call.files ?? []) keep(day.files, maskSecrets(file.slice(0, 1_000)));
  for (const use of taskUse(call)) {
    const key = `${use.project} ${use.task}`;
    if (use.use !== "read" || !day.tasks.has(key)) day.tasks.set(key, use);
  }
}

function addCommand(day: Day, line: string, outcome: Outcome): void {
  const command = shown(line, MAX_COMMAND);
  day.commands.delete(command);
  if (command !== "" && day.commands.size < MAX_KEPT) day.commands.set(command, outcome);
  if (outcome !== "done") return;
  for (const one of commitSubjects(line.slice(0, MAX_READ))) keep(day.commits, shown(one, 120));
}

function keep(values: Set<string>, value: string): void {
  if (value !== "" && values.size < MAX_KEPT) values.add(value);
}

/** Masked before it is cut: the beginning of a secret is one too. */
function shown(text: string, most: number): string {
  return shorten(oneLine(maskSecrets(text.slice(0, MAX_READ))), most);
}

/** `last` is what was counted before. A session that was compacted may begin to count again. */
function sum(one: Tokens, now: Tokens, last: Tokens = NO_TOKENS): Tokens {
  const start = now.input < last.input ? NO_TOKENS : last;
  return {
    input: one.input + now.input - start.input,
    cached: one.cached + now.cached - start.cached,
    output: one.output + now.output - start.output,
  };
}

function finished(
  day: string,
  { commands, commits, files, messages, models, said, tasks, total, ...rest }: Day,
): SessionDay {
  return {
    ...rest,
    day,
    said: maskSecrets(said),
    files: [...files],
    commits: [...commits],
    failed: [...commands].filter(([, outcome]) => outcome === "failed").map(([command]) => command),
    tasks: [...tasks.values()],
    models: [...models],
    tokens: [...messages.values()].reduce((all, one) => sum(all, one), total),
  };
}
