import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Filter } from "../../src/core/search/filter.ts";
import { searchBoth } from "../../src/core/search/join.ts";
import type { SearchResult } from "../../src/core/search/results.ts";
import { type SearchRequest, search } from "../../src/core/search/search.ts";
import { type Engine, openEngine } from "../../src/core/sqlite/engine.ts";
import type { SqlDatabase } from "../../src/core/sqlite/types.ts";
import { makeEntry, openIndex, plainTask, textOf } from "../fixtures/entries.ts";

const NOW = Date.parse("2026-06-15T12:00:00Z");

let engine: Engine;
before(async () => {
  engine = await openEngine();
});

const find = (db: SqlDatabase, query: string, given: Partial<SearchRequest> = {}) =>
  search(db, { query, filter: {}, limit: 100, now: NOW, damping: 0.1, textOf, ...given });

/** An index of plain notes. */
const indexOf = (texts: Readonly<Record<string, string>>) =>
  openIndex(
    engine,
    Object.entries(texts).map(([path, text]) => makeEntry(path, text)),
  );

const many = (count: number, entry: (n: number) => [path: string, text: string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => entry(n)));

/** The snippet of a result. */
const shownIn = (result?: SearchResult) => result?.passage({ chars: 500, tokens: 64 }).text ?? "";

const pathsOf = (db: SqlDatabase, query: string, given: Partial<SearchRequest> = {}) =>
  find(db, query, given).results.map(({ path }) => path);

test("a result has all fields of the document and its best chunk", () => {
  const db = openIndex(engine, [
    makeEntry(
      "shop/tasks/deep/001-a.md",
      "# Task: A\n\nStatus: done\n\n## Objective\nUse a bearer token.\n",
      {
        type: "task",
        status: "done",
        updated: "2026-01-02",
        mtime: 5.5,
        task: plainTask,
      },
    ),
  ]);
  const { total, results } = find(db, "bearer");
  assert.equal(total, 1);
  const { score, passage, other, text: _, ...rest } = results[0] ?? assert.fail();
  assert.ok(score > 0);
  assert.equal(passage({ chars: 500 }).text, "Use a >>>bearer<<< token.");
  assert.equal(other, null);
  assert.deepEqual(rest, {
    project: "shop",
    folder: "tasks",
    filename: "deep/001-a.md",
    path: "shop/tasks/deep/001-a.md",
    heading: "## Objective",
    more: 0,
    type: "task",
    status: "done",
    updated: "2026-01-02",
    mtime: 5.5,
    lapse: undefined,
  });
});

test("a document is read once for its passage, and not before it is shown", () => {
  const db = indexOf({ "p/notes/a.md": "---\nowner: bearer\n---\nA bearer token." });
  const read: string[] = [];
  const textOfNote = (path: string) => {
    read.push(path);
    return textOf(path);
  };
  const [result] = find(db, "bearer", { textOf: textOfNote }).results;
  assert.deepEqual(read, []);
  assert.match(shownIn(result), />>>bearer<<< token/);
  shownIn(result);
  assert.deepEqual(read, ["p/notes/a.md"]);
});

const FILTERED: [filter: Filter, paths: string[]][] = [
  [{}, ["p/a.md", "p/notes/b.md", "p/tasks/c.md", "q/notes/d.md"]],
  [{ project: "p" }, ["p/a.md", "p/notes/b.md", "p/tasks/c.md"]],
  [{ project: "P" }, []],
  [{ folder: "notes" }, ["p/notes/b.md", "q/notes/d.md"]],
  [{ folder: "" }, ["p/a.md"]],
  [{ status: "done" }, ["p/tasks/c.md", "q/notes/d.md"]],
  [{ tag: "web" }, ["p/notes/b.md", "p/tasks/c.md"]],
  [{ tag: "we" }, []],
  [{ tag: "%" }, []],
  [{ project: "p", folder: "tasks", status: "done", tag: "web" }, ["p/tasks/c.md"]],
  [{ project: "q", tag: "web" }, []],
];

test("filters narrow both results and total, one by one and together", () => {
  const db = openIndex(engine, [
    makeEntry("p/a.md", "zebra"),
    makeEntry("p/notes/b.md", "zebra", { tags: ["web", "api"] }),
    makeEntry("p/tasks/c.md", "zebra", { tags: ["web"], status: "done", task: plainTask }),
    makeEntry("q/notes/d.md", "zebra", { status: "done" }),
    makeEntry("q/notes/e.md", "lion", { tags: ["web"] }),
  ]);
  for (const [filter, paths] of FILTERED) {
    const { total, results } = find(db, "zebra", { filter });
    assert.deepEqual(results.map(({ path }) => path).sort(), paths, JSON.stringify(filter));
    assert.equal(total, paths.length, JSON.stringify(filter));
  }
});

test("the limit cuts the results, not the total", () => {
  const db = indexOf(many(30, (n) => [`p/notes/${n}.md`, "zebra"]));
  for (const limit of [1, 20, 29]) {
    const { total, results } = find(db, "zebra", { limit });
    assert.deepEqual([total, results.length], [30, limit]);
  }
  const { total, missing, isWeak, results } = find(db, "lion");
  assert.deepEqual(
    { total, missing, isWeak, results },
    { total: 0, missing: ["lion"], isWeak: false, results: [] },
  );
});

test("a document is one result, its best chunk, and says how many more match", () => {
  const text =
    "# A\n\nzebra and many other words\n\n## B\n\nzebra zebra\n\n## C\n\nlion\n\n## D\n\nzebra among some words";
  const db = openIndex(engine, [makeEntry("p/a.md", text), makeEntry("p/b.md", "lion")]);
  const { total, results } = find(db, "zebra");
  assert.deepEqual([total, results.length, results[0]?.more, results[0]?.heading], [1, 1, 2, "## B"]);
});

test("equal scores are ordered by date, then always in the same way", () => {
  const dates = ["2020-01-02", "2020-01-04", "2020-01-01", "2020-01-03"];
  const entries = dates.map((updated) => makeEntry(`p/notes/${updated.slice(-2)}.md`, "zebra", { updated }));
  const same = ["x", "y", "z"].map((name) => makeEntry(`p/notes/${name}.md`, "zebra", { mtime: 0 }));
  const db = openIndex(engine, [...same, ...entries]);
  const order = pathsOf(db, "zebra").map((path) => path.slice("p/notes/".length, -".md".length));
  assert.deepEqual(order.slice(0, 4), ["04", "03", "02", "01"]);
  assert.deepEqual(order.slice(4), ["x", "y", "z"]);
});

/** The same text everywhere, so that only the boosts decide. */
const boosted = "scratch references reports changelog sessions plans tasks assets"
  .split(" ")
  .map((folder) => makeEntry(`p/${folder}/a.md`, "zebra"));

const BY_FOLDER = ["tasks", "plans", "sessions", "changelog", "reports", "references", "scratch", "assets"];

test("with equal text the folders are in the order of the table, damped or not; without boosts they are equal", () => {
  const db = openIndex(engine, boosted);
  const folders = (damping: number) => find(db, "zebra", { damping }).results.map(({ folder }) => folder);
  assert.deepEqual(folders(1), BY_FOLDER);
  assert.deepEqual(folders(0.1), BY_FOLDER);
  assert.deepEqual(folders(0), [...boosted.map(({ folder }) => folder)]);
  assert.equal(new Set(find(db, "zebra", { damping: 0 }).results.map(({ score }) => score)).size, 1);
});

test("damping is the exponent of the boosts: at 1 they outweigh the text, at 0.1 the text decides", () => {
  const filler = "word ".repeat(60);
  const db = openIndex(engine, [
    makeEntry("p/scratch/best.md", "zebra zebra zebra"),
    makeEntry("p/tasks/weak.md", `## Next\n\nzebra ${filler}`, { status: "in-progress", task: plainTask }),
    ...Array.from({ length: 5 }, (_, n) => makeEntry(`p/notes/${n}.md`, filler)),
  ]);
  const scores = (damping: number) =>
    new Map(find(db, "zebra", { damping }).results.map(({ filename, score }) => [filename, score]));
  assert.deepEqual([...scores(0).keys()], ["best.md", "weak.md"]);
  assert.deepEqual([...scores(0.1).keys()], ["best.md", "weak.md"]);
  assert.deepEqual([...scores(1).keys()], ["weak.md", "best.md"]);
  // Folder × heading × status × age: tasks, Next, in-progress, older than 90 days.
  const boost = 2 * 2.5 * 2 * 0.8;
  const of = (damping: number) => scores(damping).get("weak.md") ?? Number.NaN;
  assert.ok(Math.abs(of(1) / of(0) / boost - 1) < 1e-9);
  assert.ok(Math.abs(of(0.1) / of(0) / boost ** 0.1 - 1) < 1e-9);
});

test("the status of a task only affects tasks", () => {
  const statuses = ["done", "pending", "blocked", "in-progress"];
  const tasks = statuses.map((status, n) =>
    makeEntry(`p/tasks/${n}.md`, "zebra", { status, task: plainTask }),
  );
  const notes = statuses.map((status, n) => makeEntry(`p/notes/${n}.md`, "zebra", { status }));
  const db = openIndex(engine, [...tasks, ...notes]);
  const found = find(db, "zebra", { damping: 1 });
  const order = found.results.filter(({ folder }) => folder === "tasks").map(({ status }) => status);
  assert.deepEqual(order, ["in-progress", "blocked", "pending", "done"]);
  const scores = found.results.filter(({ folder }) => folder === "notes").map(({ score }) => score);
  assert.equal(new Set(scores).size, 1);
});

test("a best chunk without text takes its snippet from the document's first text", () => {
  const db = indexOf({
    "p/a.md": "# Zebra\n\n## One\n\nfirst text\n\n## Two\n\nsecond text",
    "p/b.md": "# Lion\n\n## Only headings",
  });
  const [zebra] = find(db, "zebra").results;
  assert.deepEqual(
    [zebra?.heading, shownIn(zebra)],
    ["# Zebra", ">>>Zebra<<<: first text ## Two second text"],
  );
  const [lion] = find(db, "lion").results;
  assert.deepEqual([lion?.heading, shownIn(lion)], ["# Lion", ">>>Lion<<<"]);
});

/** Every form in the API reference of the earlier server, and those that FTS5 adds. */
const SYNTAX: Record<string, string[]> = {
  '"user authentication"': ["p/both.md"],
  '"authentication user"': [],
  "auth OR session": ["p/old.md", "p/session.md", "p/token.md"],
  "auth NOT deprecated": ["p/token.md"],
  "auth*": ["p/both.md", "p/old.md", "p/token.md"],
  "heading:objective": ["p/both.md"],
  "content:api": ["p/session.md"],
  "auth AND (token OR deprecated)": ["p/old.md", "p/token.md"],
  "NEAR(session api, 1)": [],
  "{heading content} : objective": ["p/both.md"],
  "content:^an": ["p/token.md"],
  "^an": ["p/token.md"],
  "user + authentication": ["p/both.md"],
  // What no document holds so is prose.
  "authentication + user": ["p/both.md"],
  '"認証の"': ["p/cjk.md"],
  "content:認証 AND 設計*": ["p/cjk.md"],
  '"sesión"': ["p/cjk.md"],
};

const syntaxNotes = {
  "p/both.md": "## Objective\n\nThe user authentication.",
  "p/token.md": "# A\n\nAn auth token.",
  "p/old.md": "# B\n\nThe deprecated auth.",
  "p/session.md": "# C\n\nA session of the api there.",
  "p/cjk.md": "# D\n\n認証の設計と sesión.",
};

test("a name in code is found in every spelling, as written first, and by its words", () => {
  const code = (call: string) => `Fetching.\n\n\`\`\`ts\n${call}(7);\n\`\`\`\n`;
  const db = openIndex(engine, [
    makeEntry("p/notes/snake.md", code("get_user_profile")),
    makeEntry("p/notes/camel.md", code("getUserProfile")),
    makeEntry("p/notes/apart.md", "The profile that a user can get."),
  ]);
  const [camel, snake, apart] = ["p/notes/camel.md", "p/notes/snake.md", "p/notes/apart.md"];
  assert.deepEqual(pathsOf(db, "getUserProfile"), [camel, snake]);
  assert.deepEqual(pathsOf(db, "get_user_profile").slice(0, 2).sort(), [camel, snake]);
  assert.deepEqual(pathsOf(db, "how do we get the user profile?").sort(), [apart, camel, snake]);
  const shown = shownIn(find(db, "profile").results.find(({ path }) => path === camel));
  assert.match(shown, /getUserProfile\(7\)/, "code is shown as it is");
});

test("a title that is one name wins when all words of the name are asked for", () => {
  const db = openIndex(engine, [
    makeEntry("p/notes/a.md", "Call it.", { title: "useTransition" }),
    makeEntry("p/notes/b.md", "`useTransition` here, `useTransition` there.", {
      title: "useTransition and others",
    }),
  ]);
  for (const query of ["use transition", "useTransition", "use_transition"])
    assert.equal(pathsOf(db, query)[0], "p/notes/a.md", query);
});

test("FTS5 syntax is run as written", () => {
  const db = indexOf(syntaxNotes);
  for (const [query, paths] of Object.entries(SYNTAX))
    assert.deepEqual(pathsOf(db, query).sort(), paths, query);
});

test("signs in a sentence that find nothing are searched as words; a query in quotes, operators and columns mean what they say", () => {
  const db = indexOf({ "p/a.md": "the vision of a prospective title" });
  const found = (query: string) => pathsOf(db, query).length;
  const prose = [
    'remove "prospective vision" from the title',
    "(vision) absent",
    "2 * vision",
    "tags: absent\ntitle: vision",
    "absent/vision.md:12",
    "vision@2026-03-31 😀",
  ];
  for (const query of prose) assert.equal(found(query), 1, query);
  for (const query of [
    '"prospective vision"',
    "vision NOT title",
    "vision AND absent",
    "heading:vision",
    "NEAR(vision title, 1)",
    "visons*",
  ])
    assert.equal(found(query), 0, query);
});

test("text that looks like syntax but does not parse is searched as text", () => {
  const db = indexOf({ "p/a.md": "call foo() with bar", "p/b.md": "reads its id" });
  for (const query of ["foo()", '"foo', "foo AND", "what does foo() do?", "nocolumn:foo*"]) {
    assert.equal(pathsOf(db, query)[0], "p/a.md", query);
  }
  for (const query of ["*reads", "*id", " *reads"]) assert.deepEqual(pathsOf(db, query), ["p/b.md"], query);
});

test("snippets of an expression mark its words and the words that a star found, not its operators", () => {
  const db = indexOf({ "p/a.md": "this or that author and not near the content" });
  const shown = (query: string) => shownIn(find(db, query).results[0]);
  assert.equal(shown("auth* OR nothing"), "this or that >>>author<<< and not near the content");
  assert.equal(shown("content:author AND this"), ">>>this<<< or that >>>author<<< and not near the content");
});

test("text beside emoji and signs newer than SQLite's tables is found", () => {
  const db = indexOf({ "p/a.md": "shipped🥳 🧪tests ₿42 ₽100", "p/b.md": "other" });
  for (const query of ["shipped", "tests", "42", "₽100", '"shipped tests"', "🥳tests"]) {
    assert.deepEqual(pathsOf(db, query), ["p/a.md"], query);
  }
});

test("any part of unspaced text is found, decomposed or half-width too", () => {
  const db = openIndex(engine, [
    makeEntry("p/ja.md", "有効期限とトークンとガイド"),
    makeEntry("p/ko.md", "사용자인증".normalize("NFD")),
    makeEntry("p/th.md", "ไปที่นี่"),
    makeEntry("p/zh.md", "用户认证API文档𠮷野"),
  ]);
  const firsts = {
    期限: "p/ja.md",
    ﾄｰｸﾝ: "p/ja.md",
    "か\u3099": undefined,
    인증: "p/ko.md",
    ที่นี่: "p/th.md",
    证API: "p/zh.md",
    野: "p/zh.md",
  };
  for (const [query, path] of Object.entries(firsts)) assert.equal(pathsOf(db, query)[0], path, query);
});

test("a document with all words of a query comes before one that repeats some of them", () => {
  const db = openIndex(engine, [
    makeEntry("p/notes/all.md", `zebra ${"filler ".repeat(5)} lion`),
    makeEntry("p/notes/often.md", "zebra zebra zebra zebra"),
    ...Array.from({ length: 20 }, (_, n) => makeEntry(`p/other/${n}.md`, "something else")),
  ]);
  assert.deepEqual(pathsOf(db, "zebra lion"), ["p/notes/all.md", "p/notes/often.md"]);
});

test("chunks that cover little of the query are neither returned nor counted if others cover more", () => {
  const others = Array.from({ length: 20 }, (_, n) => makeEntry(`p/notes/${n}.md`, "common word"));
  const db = openIndex(engine, [makeEntry("p/notes/best.md", "common zebra lion tiger"), ...others]);
  const { total, results } = find(db, "common zebra lion tiger");
  assert.deepEqual([total, results[0]?.path], [1, "p/notes/best.md"]);
  assert.equal(find(db, "common").total, 21);
});

test("a title that holds the query wins over a text that repeats it", () => {
  const db = openIndex(engine, [
    makeEntry("p/notes/a.md", "rate limiting rate limiting rate limiting", { title: "Something else" }),
    makeEntry("p/notes/b.md", "A note about it.", { title: "Rate limiting" }),
  ]);
  assert.equal(pathsOf(db, "rate limiting")[0], "p/notes/b.md");
});

test("neighbouring words of the query rank higher if they are neighbours in the text", () => {
  const db = indexOf({
    "p/notes/apart.md": "server other words here component",
    "p/notes/beside.md": "here other words server component",
  });
  assert.equal(pathsOf(db, "server component")[0], "p/notes/beside.md");
});

test("a sentence of which a third is missing finds the note that says it", () => {
  const db = indexOf({
    "p/notes/build-tag-regexp-engine.md":
      "The regexp engine. A compiler, a build, a tag: native and pure, what it tells, instead and all.",
    "p/notes/policy.md":
      "The build tag tells the compiler to use the pure regexp engine instead of the native one.",
    ...many(30, (n) => [`p/notes/${n}.md`, `The build of compiler ${n} is native instead of pure.`]),
  });
  const query = "where do we describe the build tag tells to use the pure regexp engine instead of native";
  assert.equal(pathsOf(db, query)[0], "p/notes/policy.md");
});

test("a text ranks before its translation if it is in the language of the query", () => {
  const db = indexOf({
    "p/notes/en.md": "The Zebra API is used by all of the clients.",
    "p/notes/es.md": "La Zebra API es usada por todos los clientes.",
  });
  assert.equal(pathsOf(db, "what is the Zebra API")[0], "p/notes/en.md");
  assert.equal(pathsOf(db, "que es la Zebra API")[0], "p/notes/es.md");
});

test("a document with very many better chunks does not displace other results", () => {
  const section = (words: string) => `## Part\n\n${words}\n\n`;
  const others = Array.from({ length: 30 }, (_, n) =>
    makeEntry(`p/notes/${n}.md`, `# Note\n\nzebra ${"word ".repeat(80)}`),
  );
  const rest = Array.from({ length: 60 }, (_, n) => makeEntry(`p/notes/r${n}.md`, `Anything else ${n}.`));
  const db = openIndex(engine, [
    makeEntry("p/notes/long.md", section("zebra lion").repeat(1500)),
    ...rest,
    makeEntry("p/notes/other.md", section("something else").repeat(6000)),
    ...others,
  ]);
  for (const [query, limit] of [
    ["zebra lion", 20],
    ["zebra", 20],
    ["zebra", 100],
    ["zebra OR lion", 100],
  ] as const) {
    const { total, results } = find(db, query, { limit });
    assert.deepEqual([total, results.length], [31, Math.min(limit, 31)], query);
  }
});

test("documents of the preferred project come first among equals, not before better ones", () => {
  const entries = ["a", "b", "c"].map((project) => makeEntry(`${project}/notes/n.md`, "zebra lion"));
  const db = openIndex(engine, [
    ...entries,
    makeEntry("z/notes/n.md", "zebra lion", { title: "Zebra lion" }),
  ]);
  assert.deepEqual(pathsOf(db, "zebra lion", { preferred: "b" }).slice(0, 2), [
    "z/notes/n.md",
    "b/notes/n.md",
  ]);
  assert.equal(pathsOf(db, "zebra lion", { preferred: "nothing" })[1], "a/notes/n.md");
});

test("an unknown word is corrected, and the answer says so", () => {
  const db = indexOf({ "p/notes/a.md": "authentication for clients" });
  const { corrected, results } = find(db, "Authentification, clients!");
  assert.equal(corrected, "authentication, clients!");
  assert.match(shownIn(results[0]), />>>authentication<<<.*>>>clients<<</);
  assert.equal(find(db, "authentication clients").corrected, null);
  assert.equal(find(db, "authentication qqqqqq").corrected, null);
  assert.equal(find(db, "useAuthentificationClients").corrected, "useAuthenticationClients");
});

test("of words that are equally near the most frequent one is the correction", () => {
  const db = indexOf({ "p/notes/a.md": "a form", "p/notes/b.md": "from here", "p/notes/c.md": "from there" });
  assert.equal(find(db, "frorm").corrected, "from");
});

const CORRECTIONS = [
  makeEntry("pay/notes/en.md", "We decided to pay refunds of the orders twice, and this is what it was.", {}),
  makeEntry("tienda/notes/es.md", "Yo decidi en la tienda que los pagos no se devuelven a los clientes.", {}),
];

const CAPITALS: [query: string, corrected: string | null][] = [
  ["What did Biden say about roads?", null],
  ["roads after Macron", null],
  ["roads by NASA", null],
  ["biden", "widen"],
  ["roads on Kuberntes", "roads on kubernetes"],
  ["Authentification of roads", "authentication of roads"],
  ["readBidn", null],
  ["roads of Probps", "roads of props"],
];

test("an unknown name is only corrected to what the notes write as a name", () => {
  const db = openIndex(engine, [
    makeEntry("p/notes/a.md", "Roads widen, macros nasal, and merkle trees say authentication.", {
      title: "Roads",
    }),
    makeEntry("p/notes/b.md", "## Kubernetes\n\nRoads were built by Ana Kowalski."),
    ...Array.from({ length: 240 }, (_, n) =>
      makeEntry(`p/notes/${n}.md`, n < 120 ? "It passes props." : "## Props\n\nAll props."),
    ),
  ]);
  for (const [query, corrected] of CAPITALS) assert.equal(find(db, query).corrected, corrected, query);
});

test("a name in the question weighs more than a rarer word beside it", () => {
  const text = (n: number) => `# Pty ${n}\n\nThe Pty opens a terminal, number ${n}.`;
  const many = Array.from({ length: 12 }, (_, n) =>
    makeEntry(`p/notes/${n}.md`, text(n), { title: `Note ${n}` }),
  );
  const db = openIndex(engine, [
    ...many,
    makeEntry(
      "p/notes/other.md",
      "# Other\n\nCreate a new invoice, then get a new number for the customer.\n",
    ),
  ]);
  for (const query of ["How do I create a `Pty`?", "get `Pty`", "what is new in `Pty`"])
    assert.notEqual(pathsOf(db, query)[0], "p/notes/other.md", query);
});

test("word forms are found without a correction, in the language of the question", () => {
  const db = openIndex(engine, CORRECTIONS);
  for (const query of ["refunding", "refund", "What was decided about refunding?"]) {
    const { results, corrected, missing } = find(db, query);
    assert.equal(results[0]?.path, "pay/notes/en.md", query);
    assert.deepEqual([corrected, missing], [null, []], query);
  }
  assert.match(shownIn(find(db, "refunding").results[0]), />>>refunds<<</);
});

test("an unknown word is never corrected to one of the other language, nor to one outside the filter", () => {
  const db = openIndex(engine, [...CORRECTIONS, makeEntry("q/notes/x.md", "kubernetes")]);
  const english = find(db, "What have they decidd about the refunds?", { filter: { project: "pay" } });
  assert.deepEqual([english.corrected, english.total], ["What have they decided about the refunds?", 1]);
  assert.equal(find(db, "kubernetse").corrected, "kubernetes");
  const filtered = find(db, "kubernetse refunds", { filter: { project: "pay" } });
  assert.deepEqual([filtered.corrected, filtered.missing, filtered.total], [null, ["kubernetse"], 1]);
});

test("missing words do not change the order or the number of results", () => {
  const db = indexOf({ "p/a.md": "zebra lion", "p/b.md": "zebra" });
  const paths = pathsOf(db, "zebra lion");
  assert.deepEqual(pathsOf(db, "zebra lion qwrtzuiop"), paths);
  assert.deepEqual(find(db, "zebra lion qwrtzuiop").missing, ["qwrtzuiop"]);
});

test("without spaces, a question is weak if its passage holds few of its letters side by side", () => {
  const db = indexOf({
    "p/notes/dome.md": "ドームを閉じる前に、望遠鏡の電源を切ります。",
    "p/notes/lens.md": "壊れていて使えないレンズは、棚の下に置きます。",
    "p/notes/class.md": "生徒の参加コードは、七日で切れます。",
  });
  const isWeak = (query: string) => find(db, query).isWeak;
  assert.ok(!isWeak("撮影が終わったあと、ドームを閉じる前に何をすればいいですか？"));
  assert.ok(!isWeak("生徒が入るための参加コードはいつまで有効ですか"));
  assert.ok(isWeak("育児休暇のあと、電源と年金はどうなりますか"));
});

test("an answer that covers little of the question is weak", () => {
  const animals = "lion tiger zebra otter crane horse goose mouse snail".split(" ");
  const db = indexOf(many(9, (n) => [`p/notes/${n}.md`, `the ${animals[n]} and its feed`]));
  const isWeak = (query: string) => find(db, query).isWeak;
  assert.ok(isWeak("which feed do orchestras xylophones and trombones need"));
  assert.ok(!isWeak("which feed does the otter need"));
  assert.ok(!isWeak("xylophones"), "nothing found is not weak");
});

test("an answer that holds a name of code from the question is hardly ever weak", () => {
  const names = "getTarget setSource dropAll readOne showAll hideAll moveUp endTurn addItem".split(" ");
  const db = indexOf(many(9, (n) => [`p/notes/${n}.md`, `call ${names[n]} in a turn`]));
  const isWeak = (query: string) => find(db, query).isWeak;
  assert.ok(!isWeak("what purpose does getTarget serve"));
  assert.ok(isWeak("what purpose does a call serve"));
});

test("also finds what the question's own words do not, after what they do", () => {
  const db = indexOf({
    "p/own.md": "# Charge\n\ncharge",
    "p/other.md": "# Billing\n\nbilling",
    "p/third.md": "# 請求\n\n請求書",
  });
  assert.deepEqual(pathsOf(db, "charge"), ["p/own.md"]);
  assert.deepEqual(pathsOf(db, "charge", { also: ["billing", "請求書", "?!"] }).sort(), [
    "p/other.md",
    "p/own.md",
    "p/third.md",
  ]);
  assert.equal(pathsOf(db, "charge", { also: ["billing", "請求書"] })[0], "p/own.md");
  const { missing, corrected } = find(db, "charge", { also: ["bilingg", "qwrtz"] });
  assert.deepEqual([missing, corrected], [[], null]);
});

test("without also, answers are the same", () => {
  const db = openIndex(engine, CORRECTIONS);
  const answer = (query: string, given = {}) => {
    const { results, ...rest } = find(db, query, given);
    return {
      ...rest,
      results: results.map((result) => ({ ...result, text: result.text(), passage: shownIn(result) })),
    };
  };
  for (const query of ["refunds", "decided orders", "tienda"])
    assert.deepEqual(answer(query, { also: [] }), answer(query));
});

test("of two indexes the best is found, an equal note first, and a word that one knows is corrected in neither", async () => {
  const [same, filler] = ["We chose redis.", many(9, (n) => [`shop/repo:docs/${n}.md`, "Plain words."])];
  const notes = indexOf({ "shop/a.md": same, "shop/b.md": "It reads redos and redial." });
  const documents = indexOf({
    ...filler,
    "shop/repo:same.md": same,
    "shop/repo:queue.md": "RabbitMQ broker",
  });
  const both = async (query: string, limit = 10) => {
    const searchIn = (db: SqlDatabase) => async (isCorrected: boolean) => find(db, query, { isCorrected });
    const { results, ...rest } = await searchBoth(limit, searchIn(notes), searchIn(documents));
    return { ...rest, paths: results.map(({ path }) => path) };
  };
  const equal = await both("redis");
  assert.deepEqual([equal.total, equal.paths], [2, ["shop/a.md", "shop/repo:same.md"]]);
  assert.deepEqual((await both("redis", 1)).paths, ["shop/a.md"]);
  const { paths, corrected, missing } = await both("broker");
  assert.deepEqual([paths, corrected, missing], [["shop/repo:queue.md"], null, []]);
  assert.equal((await both("brokr")).corrected, "broker");
  const known = await both("redial");
  assert.deepEqual(
    [known.paths, known.corrected],
    [["shop/b.md"], null],
    "the documents' redis is no correction",
  );
  assert.deepEqual((await both("zebra")).missing, ["zebra"]);
});
