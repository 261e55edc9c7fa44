import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { namedDays, typedDay } from "../../src/board/due.ts";
import { knownValues } from "../../src/board/fields.ts";
import type { Task } from "../../src/board/model.ts";
import { keepUnchanged } from "../../src/board/task-list.ts";
import { newOrders } from "../../src/board/views/board/place.ts";
import { tableSortOf } from "../../src/board/views/board/table-order.ts";
import { columnsOf, filterTasks, neighbour, withMoves } from "../../src/board/views/board/tasks.ts";
import { byUrgency, inWorkOrder } from "../../src/core/notes/task/order.ts";
import { listedTask as task } from "../fixtures/listed-task.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const numbers = (tasks: readonly Task[]) => tasks.map(({ number }) => number);

test("each word of the text must be in the number, title, objective, owner, tags or file name", () => {
  const tasks = [
    task("001", { title: "Add Rate Limiting", objective: "Protect the API", owner: "Ana", tags: ["redis"] }),
    task("002", { title: "支払いＡＰＩ", filename: "002-payments.md" }),
  ];
  const found = (text: string) => numbers(filterTasks(tasks, { text }));
  assert.deepEqual(found(""), ["001", "002"]);
  assert.deepEqual(found("  limiting  RATE "), ["001"]);
  assert.deepEqual(found("rate refunds"), []);
  assert.deepEqual(found("protect"), ["001"]);
  assert.deepEqual(found("ana #redis 001"), ["001"]);
  assert.deepEqual(found("api"), ["001", "002"]);
  assert.deepEqual(found("payments"), ["002"]);
});

test("project, tag and owner filter together, and empty ones filter nothing", () => {
  const tasks = [
    task("001", { tags: ["api"], owner: "ana" }),
    task("002", { tags: ["api", "ui"] }),
    task("003", { project: "b", tags: ["api"], owner: "ana" }),
  ];
  const found = (filter: Parameters<typeof filterTasks>[1]) => numbers(filterTasks(tasks, filter));
  assert.deepEqual(found({ tag: "api", owner: "ana" }), ["001", "003"]);
  assert.deepEqual(found({ tag: "api", owner: "ana", project: "a" }), ["001"]);
  assert.deepEqual(found({ tag: "ap" }), []);
  assert.deepEqual(found({ project: "", tag: "", owner: undefined }), ["001", "002", "003"]);
});

test("owners, priorities and states take several values, of which one must fit", () => {
  const tasks = [
    task("001", { owner: "ana, ben", priority: "high", due: "2026-02-01" }),
    task("002", { owner: "ben", ready: true, due: "2026-02-16" }),
    task("003", { priority: "low", open_dependencies: ["001"], due: "2026-02-17" }),
    task("004", { status: "done", open_dependencies: ["001"], due: "2026-02-01" }),
  ];
  const found = (filter: Parameters<typeof filterTasks>[1]) =>
    numbers(filterTasks(tasks, filter, "2026-02-09"));
  assert.deepEqual(found({ owner: "ben" }), ["001", "002"]);
  assert.deepEqual(found({ owner: "ana,-" }), ["001", "003", "004"]);
  assert.deepEqual(found({ priority: "high,low" }), ["001", "003"]);
  assert.deepEqual(found({ priority: "-" }), ["002", "004"]);
  assert.deepEqual(found({ state: "ready,waiting" }), ["002", "003"]);
  assert.deepEqual(found({ state: "overdue" }), ["001"]);
  assert.deepEqual(found({ state: "due" }), ["001", "002"]);
  assert.deepEqual(found({ state: "due", owner: "ana" }), ["001"]);
  assert.deepEqual(found({ state: "unknown" }), []);
});

test("columns follow the order of the address, and are there if a project asks for them", () => {
  const tasks = [task("001", { due: "2026-03-01" }), task("002", { due: "2026-02-01" })];
  const sort = tableSortOf("due");
  assert.deepEqual(numbers(columnsOf(tasks, { sort })[0]?.tasks ?? []), ["002", "001"]);
  assert.ok(columnsOf(tasks, { asked: ["review"] }).some(({ status }) => status === "review"));
});

test("there are four columns, and others only where a task has review or another status", () => {
  const statuses = (tasks: Task[]) =>
    columnsOf(tasks).map((column) => [column.status, ...numbers(column.tasks)]);
  assert.deepEqual(statuses([]), [["pending"], ["in-progress"], ["blocked"], ["done"]]);
  const tasks = [
    task("001", { status: "done" }),
    task("002", { status: "Waiting" }),
    task("003", { status: null }),
    task("004", { status: "in-progress" }),
  ];
  assert.deepEqual(statuses(tasks), [
    ["pending"],
    ["in-progress", "004"],
    ["blocked"],
    ["done", "001"],
    ["other", "002", "003"],
  ]);
  assert.deepEqual(
    statuses([task("005", { status: "review" })]).map(([status]) => status),
    ["pending", "in-progress", "blocked", "review", "done"],
  );
});

test("a column has the order of list_tasks", () => {
  const tasks = ["pending", "done", "blocked", "unknown"].flatMap((status) => [
    task("010", { status }),
    task("009", { status, priority: "low", due: "2026-01-01" }),
    task("008", { status, priority: "high" }),
    task("007", { status, priority: "high", due: "2026-03-01", project: "b" }),
    task("006", { status, priority: "medium", due: "2026-02-01" }),
    task("005", { status, updated: "2026-02-02" }),
    task("1000", { status, project: "b" }),
    task("099", { status, project: "b" }),
    task(null, { status }),
  ]);
  const shown = columnsOf(tasks).flatMap((column) => column.tasks);
  const listed = inWorkOrder(tasks);
  for (const status of ["pending", "done", "blocked", "unknown"]) {
    const own = (list: readonly Task[]) =>
      list.filter((one) => one.status === status).map(({ path }) => path);
    assert.deepEqual(own(shown), own(listed), status);
  }
});

test("a task goes to its place, and few others get a place with it", () => {
  const orders = fc.array(
    fc.option(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: 0, max: 2 }))),
  );
  const check = (given: (number | null)[], picks: number[], to: number) => {
    const tasks = byUrgency(given.map((order, at) => task(`${at}`, { order: order ?? undefined })));
    const paths = picks.flatMap((pick) => tasks[pick % Math.max(tasks.length, 1)]?.path ?? []);
    const others = tasks.filter(({ path }) => !paths.includes(path));
    const moved = tasks.filter(({ path }) => paths.includes(path));
    const at = to % (others.length + 1);
    const changed = newOrders(others, moved, at);
    const after = byUrgency(tasks.map((one) => ({ ...one, order: changed.get(one.path) ?? one.order })));
    const wanted = [...others.slice(0, at), ...moved, ...others.slice(at)];
    const pathsOf = (some: readonly Task[]) => some.map(({ path }) => path);
    assert.deepEqual(pathsOf(after), pathsOf(moved.length === 0 ? others : wanted));
  };
  fc.assert(fc.property(orders, fc.array(fc.nat(), { maxLength: 3 }), fc.nat(), check), {
    numRuns: numRuns(500),
  });
});

const PLACES: [orders: (number | undefined)[], move: number, to: number, changed: Record<string, number>][] =
  [
    [[undefined, undefined, undefined], 2, 0, { 2: 1000 }],
    [[undefined, undefined, undefined], 0, 1, { 1: 1000, 0: 2000 }],
    [[1000, 2000, undefined], 1, 0, { 1: 0 }],
    [[1000, 2000, undefined], 2, 1, { 2: 1500 }],
    [[1000, 2000, undefined], 0, 1, { 0: 3000 }],
    [[1, 2, undefined], 2, 1, { 2: 1.5 }],
    [[1, 1, undefined], 2, 1, { 0: 1000, 2: 2000, 1: 3000 }],
  ];
for (const [orders, move, to, changed] of PLACES)
  test(`of ${orders.map((order) => order ?? "none")}, ${move} goes to ${to}`, () => {
    const tasks = orders.map((order, at) => ({ path: `${at}`, order }));
    const isMoved = ({ path }: { path: string }) => path === `${move}`;
    const found = newOrders(
      tasks.filter((one) => !isMoved(one)),
      tasks.filter(isMoved),
      to,
    );
    assert.deepEqual(Object.fromEntries(found), changed);
  });

test("done starts with what was moved there on this page, the latest first", () => {
  const tasks = ["001", "002", "003", "004"].map((number) => task(number, { status: "done" }));
  const [, , , done] = columnsOf(tasks, { finished: ["a/tasks/001-task.md", "a/tasks/003-task.md"] });
  assert.deepEqual(numbers(done?.tasks ?? []), ["003", "001", "004", "002"]);
});

test("the neighbours of a column end at both sides, and cancelled is left of another status", () => {
  const sides = (status: Parameters<typeof neighbour>[0], isShown = (_: string) => true) =>
    ([-1, 1] as const).map((step) => neighbour(status, step, isShown));
  assert.deepEqual(sides("pending"), [undefined, "in-progress"]);
  assert.deepEqual(sides("done"), ["review", "cancelled"]);
  assert.deepEqual(
    sides("done", (status) => status !== "review"),
    ["blocked", "cancelled"],
  );
  assert.deepEqual(sides("cancelled"), ["done", undefined]);
  assert.deepEqual(sides("other"), ["cancelled", undefined]);
});

test("a move changes only its own task, and nothing without moves", () => {
  const tasks = [task("001"), task("002")];
  assert.equal(withMoves(tasks, {}), tasks);
  const [first, second] = withMoves(tasks, { "a/tasks/001-task.md": { status: "done" } });
  assert.equal(first?.status, "done");
  assert.equal(tasks[0]?.status, "pending");
  assert.equal(second, tasks[1]);
});

test("tags and owners to choose from are there once, in order", () => {
  const tasks = [
    task("001", { tags: ["ui", "api"], owner: "bo" }),
    task("002", { tags: ["api"] }),
    task("003", { owner: "ana" }),
    task("004", { owner: "bo" }),
  ];
  assert.deepEqual(knownValues(tasks), { tags: ["api", "ui"], owner: ["ana", "bo"] });
});

test("what is read again keeps the objects of tasks that did not change", () => {
  const before = [task("001"), task("002"), task("003")];
  assert.equal(keepUnchanged(before, structuredClone(before)), before);
  const after = keepUnchanged(before, [task("003"), task("001", { status: "done" }), task("002")]);
  assert.deepEqual(numbers(after), ["003", "001", "002"]);
  assert.deepEqual(
    after.map((one) => before.includes(one)),
    [true, false, true],
  );
  assert.deepEqual(numbers(keepUnchanged(before, before.slice(1))), ["002", "003"]);
});

test("days are read as people of a language write them; without a year, the next such day", () => {
  const today = "2026-11-29";
  const days: [language: string, text: string, day: string | undefined][] = [
    ["en", "12/5", "2026-12-05"],
    ["es", "12/5", "2027-05-12"],
    ["ja", "12/5", "2026-12-05"],
    ["en", "25-12", "2026-12-25"],
    ["en", "dec 5", "2026-12-05"],
    ["es", "5 de diciembre", "2026-12-05"],
    ["ja", "12月5日", "2026-12-05"],
    ["en", "Nov 28", "2027-11-28"],
    ["en", "2025-01-02", "2025-01-02"],
    ["en", "December 5th, 2028", "2028-12-05"],
    ["es", "1.2.2027", "2027-02-01"],
    ["en", "13/13", undefined],
    ["en", "12", undefined],
    ["en", "soon", undefined],
  ];
  for (const [language, text, day] of days)
    assert.equal(typedDay(text, today, language), day, `${language} ${text}`);
});

test("the days of a week have the names that a language gives them", () => {
  const names = (language: string) =>
    namedDays("2026-11-29", language).map(({ names: all }) => all.join("/"));
  assert.equal(
    names("en").join(),
    "Today,Tomorrow/Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Next week/Sunday",
  );
  assert.equal(names("es").slice(0, 3).join(), "Hoy,Mañana/Lunes,Martes");
  assert.equal(namedDays("2026-11-29", "ja").at(-1)?.day, "2026-12-06");
});
