import { seenOperations } from "../../history/read-log.ts";
import type { Operation } from "../../history/record.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { taskKey } from "../../notes/document.ts";
import { baseName, behindNumber } from "../../notes/names.ts";
import { attempt } from "../../storage/fs-errors.ts";
import type { Workspace } from "../workspace.ts";
import { type DocumentName, findIfThere } from "./document.ts";
import { isTaskNumber } from "./names.ts";

/** The arguments of tools that may hold the number of a task. */
const ARGUMENTS = ["task", "tasks", "task_file", "path", "filename"] as const;

interface Session {
  /** ISO 8601: when it began. */
  since: string;
  /** The operation up to which no other session gave a number away: earlier ones need not be read again. */
  checked?: string | undefined;
  /** A name in the project it works on, unless that names one. */
  nameHere(name: DocumentName): Promise<DocumentName>;
}

/** Throws CONFLICT if a number in the arguments was another task's in this session, until another session gave it away: that task may be meant. */
export async function checkNumbers(
  { root, history }: Pick<Workspace, "root" | "history">,
  args: unknown,
  session: Session,
): Promise<void> {
  const named = args as Record<string, string | string[] | undefined> & DocumentName;
  const numbers = ARGUMENTS.flatMap((argument) =>
    [named[argument] ?? []].flat().flatMap((given) => (isTaskNumber(given) ? [{ argument, given }] : [])),
  );
  if (numbers.length === 0) return;
  const { client } = history.actor();
  const isOwn = (operation: Operation) => operation.pid === process.pid && operation.client === client;
  const lately = await operationsSince(root, session);
  if (lately.every((operation) => isOwn(operation) || !givesNumberAway(operation))) {
    session.checked = lately[0]?.id ?? session.checked;
    return;
  }
  const { project, folder } = named;
  for (const { argument, given } of numbers) {
    const parts = argument === "path" ? { project, path: given } : { project, folder, filename: given };
    // Without a project, the tool says so.
    const name = await session.nameHere(parts).catch(() => parts);
    const path = attempt(() => findIfThere(root, name));
    const change = path && lastChange(lately, path, isOwn);
    if (change) throw numberChanged(given, change);
  }
}

/** Newest first. */
async function operationsSince(root: string, { since, checked }: Session): Promise<Operation[]> {
  const operations: Operation[] = [];
  for await (const operation of seenOperations(root)) {
    if (operation.time < since || operation.id === checked) break;
    operations.push(operation);
  }
  return operations;
}

function givesNumberAway({ changes }: Operation): boolean {
  return changes.some(({ path, after }) => after === null && taskKey(path) !== undefined);
}

/** A number that went from one task to another. */
interface NumberChange {
  path: string;
  before: string;
  /** The path of the one that had it. */
  now: string | undefined;
}

function lastChange(
  operations: readonly Operation[],
  path: string,
  isOwn: (operation: Operation) => boolean,
): NumberChange | undefined {
  for (const operation of operations) {
    const isMine = isOwn(operation);
    // A session that wrote this task knows it.
    if (isMine && operation.changes.some((change) => change.path === path)) return undefined;
    const change = isMine ? undefined : numberChange(operation, path);
    if (change !== undefined) return change;
  }
  return undefined;
}

function numberChange({ changes }: Operation, path: string): NumberChange | undefined {
  const made = changes.flatMap((change) => (change.before === null ? [change.path] : []));
  for (const { path: before, after } of changes) {
    if (after !== null || before === path || taskKey(before) !== taskKey(path)) continue;
    // A task with another title, or in the archive, keeps its number.
    const now = made.find((one) => nameOf(one) === nameOf(before)) ?? made.find((one) => one === path);
    if (now !== path) return { path, before, now };
  }
  return undefined;
}

function nameOf(path: string): string {
  return behindNumber(baseName(path));
}

function numberChanged(number: string, { path, before, now }: NumberChange): UserError {
  const since = now === undefined ? "which is gone" : `which has become ${quoteName(now)}`;
  const message = `${quoteName(number)} was ${quoteName(before)} in this session, ${since}, and is ${quoteName(path)} now. Give the path of the one that you mean.`;
  const suggestions = now === undefined ? [path] : [now, path];
  return new UserError("CONFLICT", message, { details: { path, suggestions } });
}
