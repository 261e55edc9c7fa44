import assert from "node:assert/strict";
import { appendFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { searchTool } from "../../../src/core/mcp/tools/search.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, dateFile, makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof searchTool>;

const NOTES = {
  "shop/tasks/001-login.md":
    "---\ntags: [Auth, web]\n---\n# Task: Login page\n\nStatus: done\n\n## Objective\nUse a bearer token.\n",
  "shop/tasks/002-node.md":
    "# Task: Port to node.js\n\nStatus: pending\n\n## Objective\nRun foo-bar on node.js 22, released 2026-03-31.\n",
  "shop/references/cpp.md": "# C++ notes\n\nTemplates in C++ and C#.\n",
  "tienda/sessions/2026-01-02.md":
    "# Session Log - 2026-01-02\n\n## Lo que hice\n\nRevisé la sesión caducada.\n",
  "kiroku/references/設計.md": "# 認証の設計\n\nトークンの有効期限を決める。\n",
};

test("search answers in the shape of the specification", async (t) => {
  const root = makeWorkspace(t, NOTES);
  dateFile(root, "shop/tasks/001-login.md", "2026-02-03T12:00:00Z");
  const { call } = await connect(t, root);
  const answer: Answer = await call("search", { query: "bearer token", project: "shop", limit: 5 });
  assert.equal(answer.query, "bearer token");
  assert.equal(answer.total_matches, 1);
  const { score, ...result } = answer.results[0] ?? assert.fail();
  assert.ok(score > 0);
  assert.deepEqual(result, {
    project: "shop",
    folder: "tasks",
    filename: "001-login.md",
    path: "shop/tasks/001-login.md",
    heading: "## Objective",
    snippet: "Use a >>>bearer<<< >>>token<<<.",
    more: 0,
    metadata: { type: "task", status: "done", updated: "2026-02-03" },
  });
});

const firstHits = {
  "node.js": "shop/tasks/002-node.md",
  "foo-bar": "shop/tasks/002-node.md",
  "2026-03-31": "shop/tasks/002-node.md",
  "C++": "shop/references/cpp.md",
  "what's a bearer?": "shop/tasks/001-login.md",
  '"bearer token': "shop/tasks/001-login.md",
  "(bearer": "shop/tasks/001-login.md",
  "bearer:": "shop/tasks/001-login.md",
  "nosuchcolumn:bearer": "shop/tasks/001-login.md",
  "tok*": "shop/tasks/001-login.md",
  "bearer AND token": "shop/tasks/001-login.md",
  "node NOT bearer": "shop/tasks/002-node.md",
  "heading:login": "shop/tasks/001-login.md",
  "NEAR(bearer token, 2)": "shop/tasks/001-login.md",
  "sesion CADUCADA": "tienda/sessions/2026-01-02.md",
  SESIÓN: "tienda/sessions/2026-01-02.md",
  認証: "kiroku/references/設計.md",
  有効: "kiroku/references/設計.md",
  "認証 AND トークン": "kiroku/references/設計.md",
  ﾄｰｸﾝ: "kiroku/references/設計.md",
  設計: "kiroku/references/設計.md",
  "001": "shop/tasks/001-login.md",
  "bearer\0token": "shop/tasks/001-login.md",
  "\ud83d bearer": "shop/tasks/001-login.md",
};

test("every ordinary query finds its document first", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, NOTES));
  for (const [query, path] of Object.entries(firstHits)) {
    const { results }: Answer = await call("search", { query });
    assert.equal(results[0]?.path, path, query);
  }
});

test("a query of 5,000 characters, of operators or of brackets is answered", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, NOTES));
  const queries = [
    "word ".repeat(1000),
    "x".repeat(5000),
    `${"(".repeat(3000)} bearer`,
    "a OR ".repeat(1000),
    "AND OR NOT",
  ];
  for (const query of queries) {
    const answer: Answer = await call("search", { query });
    assert.ok(Array.isArray(answer.results), query.slice(0, 20));
  }
});

test("a query without words says what to send instead", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, NOTES));
  for (const query of ["", "   ", "!!! ???", '""', "🙂", "\0"]) {
    const error = await fail("search", { query });
    assert.equal(error.code, "INVALID_QUERY");
    assert.match(error.message, /at least one word/);
  }
});

test("filters narrow the answer, and the count with it", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, NOTES));
  const paths = async (filter: Record<string, string>) => {
    const { results, total_matches }: Answer = await call("search", {
      query: "task OR node OR page OR notes",
      ...filter,
    });
    assert.equal(total_matches, results.length);
    return results.map(({ path }) => path).sort();
  };
  assert.deepEqual(await paths({ folder: "references" }), ["shop/references/cpp.md"]);
  assert.deepEqual(await paths({ status: "pending" }), ["shop/tasks/002-node.md"]);
  assert.deepEqual(await paths({ tag: "AUTH" }), ["shop/tasks/001-login.md"]);
  assert.deepEqual(await paths({ project: "SHOP", folder: "tasks", status: "done" }), [
    "shop/tasks/001-login.md",
  ]);
  assert.deepEqual(await paths({ project: "kiroku" }), []);
});

test("a folder may be inside of another, also in the archive", async (t) => {
  const { call, fail } = await connect(
    t,
    makeWorkspace(t, {
      "p/references/a.md": "walrus",
      "p/references/Deep/b.md": "walrus",
      "p/notes/x/y/c.md": "walrus",
      "p/archive/tasks/001-d.md": "walrus",
      "q/references/deeper/e.md": "walrus",
    }),
  );
  const found = async (folder: string) => {
    const { results } = await call<Answer>("search", { query: "walrus", folder });
    return results.map(({ path }) => path).sort();
  };
  for (const folder of ["references/Deep", "references/deep/", "references\\deep"])
    assert.deepEqual(await found(folder), ["p/references/Deep/b.md"], folder);
  for (const folder of ["notes/x", "notes/x/y"])
    assert.deepEqual(await found(folder), ["p/notes/x/y/c.md"], folder);
  assert.deepEqual(await found("archive/tasks"), ["p/archive/tasks/001-d.md"]);
  assert.equal((await fail("search", { query: "walrus", folder: "references/no" })).code, "INVALID_FOLDER");
  const listed = await call<{ folders: object }>("list_projects", { project: "p", folder: "notes/x" });
  assert.deepEqual(
    Object.entries(listed.folders).map(([name, files]) => [name, files.length]),
    [["notes", 1]],
  );
});

test("a wrong project, folder or status says which ones exist", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, NOTES));
  const project = await fail("search", { query: "x", project: "shpo" });
  assert.equal(project.code, "PROJECT_NOT_FOUND");
  assert.deepEqual(project.details.suggestions, ["shop"]);
  const folder = await fail("search", { query: "x", folder: "task" });
  assert.equal(folder.code, "INVALID_FOLDER");
  assert.equal(folder.details.suggestions?.[0], "tasks");
  const status = await fail("search", { query: "x", status: "on fire" });
  assert.equal(status.code, "INVALID_STATUS");
  assert.match(status.message, /pending, in-progress, review, done, blocked/);
});

test("a heading is shown without the id after it, and read_doc finds its section by what is shown", async (t) => {
  const text = "# Notes { #notes }\n\n## Set up zebras { #set-up }\n\nA zebra.\n";
  const { call } = await connect(t, makeWorkspace(t, { "p/notes.md": text }));
  const { results }: Answer = await call("search", { query: "zebra" });
  assert.equal(results[0]?.heading, "## Set up zebras");
  const read = await call("read_doc", { path: "p/notes.md", section: results[0]?.heading });
  assert.match(String(read.content), /A zebra/);
});

test("each document is one result: its best chunk, and the number of further matches", async (t) => {
  const text = "# Title\n\nzebra\n\n## One\n\nzebra zebra zebra\n\n## Two\n\nzebra and other words\n";
  const { call } = await connect(t, makeWorkspace(t, { "p/notes.md": text, "p/other.md": "zebra" }));
  const { results, total_matches }: Answer = await call("search", { query: "zebra" });
  assert.equal(total_matches, 2);
  const notes = results.find(({ path }) => path === "p/notes.md");
  assert.equal(notes?.more, 2);
  assert.equal(notes?.heading, "## One");
});

test("title, heading, file name, path and tags are searched, the title before the text", async (t) => {
  const filler = "Some words about nothing in particular. ".repeat(20);
  const { call } = await connect(
    t,
    makeWorkspace(t, {
      "p/references/in-title.md": `# Quagga\n\n${filler}`,
      "p/references/in-heading.md": `# Other\n\n## Quagga\n\n${filler}`,
      "p/references/quagga.md": `# Name\n\n${filler}`,
      "p/references/in-tags.md": `---\ntags: quagga\n---\n# Tagged\n\n${filler}`,
      "p/references/in-text.md": `# Text\n\n${filler} quagga ${filler}`,
      "quagga/references/in-path.md": `# Path\n\n${filler}`,
    }),
  );
  const { results }: Answer = await call("search", { query: "quagga", limit: 10 });
  assert.equal(results.length, 6);
  assert.equal(results[0]?.path, "p/references/in-title.md");
  const rank = (name: string) => results.findIndex(({ path }) => path.includes(name));
  assert.ok(rank("in-heading") < rank("in-text"));
  assert.ok(rank("references/quagga.md") < rank("in-text"));
});

test("with equal text the boosts of the sources order the answer", async (t) => {
  const text = "# Note\n\nThe aurochs grazes.\n";
  const clock = { now: () => new Date("2026-06-01T12:00:00Z") };
  const old = "---\nupdated: 2025-01-01\n---\n";
  const files = {
    "p/scratch/a.md": old + text,
    "p/tasks/001-a.md": old + text,
    "p/plans/a.md": old + text,
    "p/references/a.md": old + text,
    "p/status.md": old + text,
    "p/reports/a.md": `---\nupdated: 2026-06-01\n---\n${text}`,
  };
  const { call } = await connect(t, makeWorkspace(t, files), { clock });
  const { results }: Answer = await call("search", { query: "aurochs", limit: 10 });
  const order = results.map(({ path }) => path.replace("p/", ""));
  assert.deepEqual(order.slice(0, 1), ["status.md"]);
  assert.ok(order.indexOf("tasks/001-a.md") < order.indexOf("references/a.md"));
  assert.ok(order.indexOf("reports/a.md") < order.indexOf("references/a.md"));
  assert.equal(order.at(-1), "scratch/a.md");
});

test("with equal scores the newer document comes first, always in the same order", async (t) => {
  const files = Object.fromEntries([1, 2, 3, 4].map((n) => [`p/references/${n}.md`, "# Same\n\ndodo\n"]));
  const root = makeWorkspace(t, files);
  for (const n of [1, 2, 3, 4]) dateFile(root, `p/references/${n}.md`, `2020-01-0${n}T00:00:00Z`);
  const { call } = await connect(t, root);
  const { results }: Answer = await call("search", { query: "dodo" });
  assert.deepEqual(
    results.map(({ filename }) => filename),
    ["4.md", "3.md", "2.md", "1.md"],
  );
});

const ANSWER_CHARS = 7_000;
/** Of each passage: later ones hold few answers. */
const MOST_CHARS = [1_600, 1_200, 900, 700, 500];
/** Of what a note says elsewhere. */
const MOST_OTHER = 620;
const plain = (snippet: string) => snippet.replaceAll(/>>>|<<</g, "");

/** Texts that take more room as they are sent, or less, and names of any length. */
const WORLDS: Record<string, { name: string; text: string; least: number }> = {
  "plain text": { name: "note", text: "The platypus swims with many others again and again. ", least: 700 },
  "long names": { name: "a-rather-long-name-".repeat(6), text: "The platypus swims far away. ", least: 400 },
  "quotes and backslashes": { name: "note", text: 'A "platypus" in C:\\notes says "\t". ', least: 400 },
  "nothing but matches": { name: "note", text: "platypus ", least: 300 },
  "letters without spaces": { name: "覚書", text: "カモノハシplatypusは川を泳ぐ。", least: 200 },
  "short notes": { name: "note", text: "", least: 0 },
};

for (const [kind, { name, text, least }] of Object.entries(WORLDS)) {
  test(`an answer spends its room on the first five passages: ${kind}`, async (t) => {
    const note = `## A heading\n\nplatypus. ${text.repeat(60)}`;
    const files = Array.from({ length: 60 }, (_, n) => [
      `p/references/${name}${n}.md`,
      `# Note ${n}\n\n${note}`,
    ]);
    const { call } = await connect(t, makeWorkspace(t, Object.fromEntries(files)));
    const answer: Answer = await call("search", { query: "platypus" });
    const { results, others = [] } = answer;
    assert.deepEqual([results.length, answer.total_matches], [5, 60]);
    assert.ok(others.length <= 5 && (others.length === 5 || name.length > 50), `${others.length}`);
    assert.equal(new Set([...results, ...others].map(({ path }) => path)).size, 5 + others.length);
    for (const other of others) assert.deepEqual(Object.keys(other), ["path"]);
    for (const [at, { snippet }] of results.entries()) {
      const [most, { length }] = [MOST_CHARS[at] ?? 0, plain(snippet)];
      assert.ok(length >= Math.min(least, most * 0.7) && length <= most + MOST_OTHER, `${at}: ${length}`);
      assert.match(snippet, />>>platypus<<</);
    }
    assert.ok(JSON.stringify(answer).length <= ANSWER_CHARS, `${JSON.stringify(answer).length}`);
  });

  test(`with a limit all results have all fields, and passages as long as there is room: ${kind}`, async (t) => {
    const note = `## A heading\n\nplatypus. ${text.repeat(60)}`;
    const files = Array.from({ length: 60 }, (_, n) => [
      `p/references/${name}${n}.md`,
      `# Note ${n}\n\n${note}`,
    ]);
    const { call } = await connect(t, makeWorkspace(t, Object.fromEntries(files)));
    for (const limit of [1, 5, 8, 20, 60]) {
      const answer: Answer = await call("search", { query: "platypus", limit });
      assert.deepEqual([answer.results.length, answer.others], [limit, undefined]);
      const bare = { ...answer, results: answer.results.map((result) => ({ ...result, snippet: "" })) };
      const most = Math.max(ANSWER_CHARS, JSON.stringify(bare).length);
      assert.ok(JSON.stringify(answer).length <= most, `${limit}: ${JSON.stringify(answer).length}`);
      const lengths = answer.results.map(({ snippet }) => plain(snippet).length);
      const empty = lengths.indexOf(0);
      if (empty !== -1)
        assert.ok(
          lengths.slice(empty).every((length) => length === 0),
          `${limit}: ${lengths}`,
        );
      if (text !== "")
        assert.ok(
          lengths.every((length) => length === 0 || length >= 120),
          `${limit}: ${lengths}`,
        );
      if (limit <= 5) assert.ok(empty === -1, `${lengths}`);
    }
  });
}

test("few matches are all results, and there are no others", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, NOTES));
  const answer: Answer = await call("search", { query: "bearer token" });
  assert.deepEqual([answer.results.length, "others" in answer], [1, false]);
});

test("a snippet is a sentence rather than a status", async (t) => {
  const task = "# Task: Quagga\n\nStatus: pending\n\n## Objective\nCount the herd every spring.\n";
  const { call } = await connect(t, makeWorkspace(t, { "p/tasks/001-quagga.md": task }));
  const answer: Answer = await call("search", { query: "quagga" });
  const [first] = answer.results;
  assert.match(first?.snippet ?? "", /Count the herd every spring/);
  assert.doesNotMatch(first?.snippet ?? "", /Status:/);
  const asked: Answer = await call("search", { query: "is quagga pending?" });
  assert.match(asked.results[0]?.snippet ?? "", /Status: >>>pending<<</);
});

test("a passage has the nearest heading, and what other sections say to other words behind it", async (t) => {
  const filler = "We talked for a while about many other things of the harbour. ".repeat(12);
  const minutes = `# Minutes\n\n## Agenda\n\n### Radio\n\n${filler}\n\n### Tide gauge\n\nThe float sticks.\n`;
  const decided = `## Decided\n\n${filler}\n\nBronze bearings are ordered in Bergen.\n`;
  const root = makeWorkspace(t, { "p/sessions/minutes.md": `${minutes}\n${decided}` });
  const { call } = await connect(t, root);
  const answer: Answer = await call("search", { query: "float sticks bronze bearings ordered" });
  const [first] = answer.results;
  assert.match(
    first?.snippet ?? "",
    />>>Bronze<<< .* in Bergen\. \.\.\. ## Agenda > Tide gauge: .*The >>>float<<< >>>sticks<<</,
  );
  const alone: Answer = await call("search", { query: "float sticks" });
  assert.equal(alone.results[0]?.heading, "## Agenda > Tide gauge");
  const long = `# Minutes\n\n## Agenda\n\nThe float sticks. ${filler.repeat(3)}\n\nBronze bearings are ordered.\n`;
  const inOne = await connect(t, makeWorkspace(t, { "p/sessions/minutes.md": long }));
  const { results }: Answer = await inOne.call("search", {
    query: "who ordered bearings if the float sticks",
  });
  assert.match(results[0]?.snippet ?? "", />>>float<<< .*\.\.\..* >>>bearings<<< are >>>ordered<<</);
  const decision = `${long}\n## Decided\n\n${filler}\n\nRavi calls Bergen.\n`;
  const inBoth = await connect(t, makeWorkspace(t, { "p/sessions/minutes.md": decision }));
  const all: Answer = await inBoth.call("search", {
    query: "who ordered bronze bearings if the float sticks at Bergen",
  });
  const said = plain(all.results[0]?.snippet ?? "");
  assert.match(said, /bearings are ordered\..*The float sticks\..*## Decided: .*Ravi calls Bergen\./);
});

test("of short sections each is shown once", async (t) => {
  const note = "# Pump\n\n## Seals\n\nThe seal leaks.\n\n## Bearings\n\nThe bearing is bronze.\n";
  const { call } = await connect(t, makeWorkspace(t, { "p/references/pump.md": note }));
  for (const query of ["seal leaks bronze", "bronze bearing leaks"]) {
    const { results }: Answer = await call("search", { query });
    const shown = plain(results[0]?.snippet ?? "");
    for (const sentence of ["The seal leaks.", "The bearing is bronze."])
      assert.equal(shown.split(sentence).length, 2, `${query}: ${shown}`);
  }
});

test("what is code or the target of a link is shown without marks", async (t) => {
  const text = "Call `retryQueue` as [the retry queue](retry-queue.md) says.\n\n```sh\nretry --queue\n```\n";
  const { call } = await connect(t, makeWorkspace(t, { "p/references/a.md": `# Pumps\n\n${text}` }));
  const { results }: Answer = await call("search", { query: "retry queue" });
  assert.equal(
    results[0]?.snippet,
    "Call `retryQueue` as [the >>>retry<<< >>>queue<<<](retry-queue.md) says. ```sh retry --queue...",
  );
});

test("other words for the question are searched too, and what nothing matches is named", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, NOTES));
  const query = "credential renewal";
  const alone: Answer = await call("search", { query });
  assert.deepEqual([alone.total_matches, alone.missing_words], [0, ["credential", "renewal"]]);
  const { results, missing_words, weak }: Answer = await call("search", {
    query,
    also: ["bearer token", "トークン"],
  });
  assert.deepEqual(results.map(({ path }) => path).sort(), [
    "kiroku/references/設計.md",
    "shop/tasks/001-login.md",
  ]);
  assert.deepEqual([missing_words, weak], [["credential", "renewal"], undefined]);
});

test("a question in another language is answered by the notes' words in also, and says so without them", async (t) => {
  const files = Array.from({ length: 30 }, (_, n) => [
    `p/references/${n}.md`,
    `# Fee ${n}\n\nThe mooring fee.\n`,
  ]);
  const approved =
    "# Payments\n\nA payment counts as approved when no member objects within seventy-two hours.\n";
  const root = makeWorkspace(t, { ...Object.fromEntries(files), "p/references/payments.md": approved });
  const { call } = await connect(t, root);
  const query = "Nach wie vielen Stunden gilt eine Zahlung fee als genehmigt?";
  const alone: Answer & { hint?: string } = await call("search", { query });
  assert.deepEqual([alone.weak, alone.corrected_query], [true, undefined]);
  const nothing: Answer & { hint?: string } = await call("search", { query: "何時間で承認されますか" });
  assert.equal(nothing.total_matches, 0);
  for (const answer of [alone, nothing]) assert.match(answer.hint ?? "", /give their words in `also`/);
  const also = ["payment", "approved", "objects", "hours"];
  const { results, weak, hint }: Answer & { hint?: string } = await call("search", { query, also });
  assert.deepEqual([results[0]?.filename, weak, hint], ["payments.md", undefined, undefined]);
});

test("a day in words finds the note of that day, if there is one", async (t) => {
  const days = [4, 11, 18, 25].map((day) => `2025-02-${String(day).padStart(2, "0")}`);
  const files = days.map((day) => [`p/sessions/${day}.md`, `# Meeting ${day}\n\nIda and Bo met.\n`]);
  const { call } = await connect(t, makeWorkspace(t, Object.fromEntries(files)));
  const { results }: Answer = await call("search", { query: "who met on 11 February 2025" });
  assert.equal(results[0]?.filename, "2025-02-11.md");
});

test("an answer that hardly answers is short", async (t) => {
  const files = Array.from({ length: 20 }, (_, at) => [`p/references/note-${at}.md`, "# Note\n\nA token.\n"]);
  const { call } = await connect(t, makeWorkspace(t, Object.fromEntries(files)));
  const asked = { query: "token renewal credentials vault", also: ["bearer"] };
  const shown = async (more: object) => {
    const { weak, results, others }: Answer = await call("search", { ...asked, ...more });
    return [weak, results.length, others?.length];
  };
  assert.deepEqual(await shown({}), [true, 3, undefined]);
  assert.deepEqual(await shown({ limit: 10 }), [true, 10, undefined]);
  assert.deepEqual(await shown({ query: "token" }), [undefined, 5, 5]);
});

test("the next search finds any change on disk", async (t) => {
  const root = makeWorkspace(t, NOTES);
  const { call } = await connect(t, root);
  const count = async (query: string) => ((await call("search", { query })) as Answer).total_matches;
  assert.equal(await count("wombat"), 0);
  writeFiles(root, { "shop/references/new.md": "# wombat\n" });
  assert.equal(await count("wombat"), 1);
  appendFileSync(join(root, "shop", "references", "cpp.md"), "\nwombat\n");
  assert.equal(await count("wombat"), 2);
  renameSync(join(root, "shop"), join(root, "store"));
  assert.equal(await count("wombat"), 2);
  assert.equal(((await call("search", { query: "wombat" })) as Answer).results[0]?.project, "store");
  rmSync(join(root, "store"), { recursive: true });
  assert.equal(await count("wombat"), 0);
});

test("a change of the same size within one clock tick is seen", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "quokka" });
  const { call } = await connect(t, root);
  const fingerprint = "2026-01-01T00:00:00Z";
  dateFile(root, "p/a.md", fingerprint);
  assert.equal(((await call("search", { query: "quokka" })) as Answer).total_matches, 1);
  for (const word of ["kitten", "puppys", "rabbit"]) {
    writeFiles(root, { "p/a.md": word });
    dateFile(root, "p/a.md", fingerprint);
    assert.equal(((await call("search", { query: word })) as Answer).total_matches, 1, word);
  }
});

test("a blank tag is refused instead of finding nothing", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "---\ntags: [x]\n---\ntext\n" }));
  const { code, message } = await fail("search", { query: "text", tag: " " });
  assert.equal(code, "INVALID_ARGUMENT");
  assertTells(message, ["'tag'", "empty"]);
});

/** Decisions: what they are about, the old one and the new one. */
const DECISIONS = `
queue for orders | RabbitMQ with mirrored exchanges | Kafka with compacted topics
database of customers | MySQL on one machine | PostgreSQL with replicas
cache of sessions | Memcached beside each server | Redis in a cluster
search over products | Solr with nightly imports | OpenSearch with streams
deployment of services | Ansible from a laptop | Argo from a repository
secrets of services | files encrypted with gpg | Vault with short leases
login of employees | passwords of their own | SAML over Okta
format of logs | plain lines in syslog | JSON with trace ids
metrics of hosts | Graphite and carbon | Prometheus with exporters
rendering of pages | templates in Jinja | components in React
styles of pages | Sass with mixins | Tailwind utilities
tests in browsers | Selenium grid | Playwright workers
builds of packages | Jenkins on metal | GitHub runners
images of containers | Debian base layers | distroless layers
language of scripts | Bash and awk | Python with uv
versions of interfaces | a number in every header | dates in every path
money in records | floating decimals | integer cents
zones of times | local wall clocks | instants in UTC
identifiers of rows | counted integers | sortable ULIDs
mail to customers | Postfix behind a relay | Postmark templates
payment of invoices | monthly bank transfers | Stripe subscriptions
backup of volumes | tar onto tapes | snapshots into S3
limits of requests | nginx burst zones | token buckets in Envoy
flags for features | environment variables | LaunchDarkly segments
schema of events | free XML | Avro with a registry
storage of pictures | blobs in tables | objects behind a CDN
translation of texts | gettext catalogues | Fluent bundles
cola de pedidos atrasados | procesos nocturnos con cron | trabajadores con reintentos
認証の方式 | セッションとクッキー | 署名付きトークン
検索の索引 | 全文の形態素解析 | 文字の二連索引`
  .trim()
  .split("\n")
  .map((line) => line.split(" | ") as [topic: string, old: string, now: string]);

/** Ways to say it, in the old decision or in the new one. */
const WAYS: ((old: string, now: string) => { inOld?: string; inNow?: string; fields?: string })[] = [
  (_, now) => ({ fields: `---\nsuperseded_by: ${now}\n---\n` }),
  (_, now) => ({ inOld: `## Status\n\nSuperseded by [the new one](${now})\n` }),
  (old) => ({ inNow: `- Status: accepted\n- Supersedes: [[${old.replace(".md", "")}]]\n` }),
  (_, now) => ({ inOld: `Status: superseded by ADR ${Number(now.slice(0, 4))}\n` }),
  (old) => ({ inNow: `## Status\n\nAccepted\n\nReplaces [ADR](${old})\n` }),
];

const decisionFiles = DECISIONS.flatMap(([topic, old, now], at) => {
  const [oldName, nowName] = [
    `${`${at + 1}`.padStart(4, "0")}-old.md`,
    `${`${at + 51}`.padStart(4, "0")}-new.md`,
  ];
  const way = WAYS[at % WAYS.length]?.(oldName, nowName) ?? {};
  const text = (title: string, inside = "") =>
    `# ${topic}: ${title}\n\n${inside}\n## Decision\n\nWe take ${title}.\n`;
  return [
    [`shop/decisions/${oldName}`, `${way.fields ?? ""}${text(old, way.inOld)}`],
    [`shop/decisions/${nowName}`, text(now, way.inNow)],
  ] as const;
});

test("the new one of two decisions comes first, the old one directly behind it and marked", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, Object.fromEntries(decisionFiles)));
  for (const [at, [topic, old, now]] of DECISIONS.entries()) {
    for (const query of [`${topic} ${old}`, `${topic} ${now}`]) {
      const answer: Answer = await call("search", { query });
      const found = [...answer.results, ...(answer.others ?? [])];
      const [first, second] = found;
      const [oldPath, nowPath] = [2 * at, 2 * at + 1].map((place) => decisionFiles[place]?.[0]);
      assert.deepEqual([first?.path, second?.path], [nowPath, oldPath], query);
      assert.deepEqual(
        [first?.outdated, second?.outdated],
        [undefined, `superseded by \`${nowPath}\``],
        query,
      );
    }
  }
});

test("a successor is named if it does not match itself, and a note without one has its own word", async (t) => {
  const { call } = await connect(
    t,
    makeWorkspace(t, {
      "shop/decisions/0001-a.md": "# Wombat\n\n## Status\n\nSuperseded by ADR 2\n",
      "shop/decisions/0002-b.md": "# Quokka\n\n## Status\n\nSuperseded by ADR 3\n",
      "shop/decisions/0003-c.md": "# Numbat\n",
      "shop/decisions/0004-d.md": "---\nstatus: deprecated\n---\n# Bilby\n",
      "shop/decisions/0005-e.md": "---\nsuperseded_by: 9\n---\n# Possum\n",
      "shop/tasks/001-f.md": "# Task: Glider\n\nStatus: rejected\n",
    }),
  );
  const marks: [query: string, outdated: string | undefined][] = [
    ["wombat", "superseded by `shop/decisions/0003-c.md`"],
    ["quokka", "superseded by `shop/decisions/0003-c.md`"],
    ["numbat", undefined],
    ["bilby", "deprecated"],
    ["possum", "superseded, by no note that is here"],
    ["glider", undefined],
  ];
  for (const [query, outdated] of marks) {
    const answer: Answer = await call("search", { query });
    assert.deepEqual(
      answer.results.map((one) => one.outdated),
      [outdated],
      query,
    );
  }
  const read = await call("read_doc", { path: "shop/decisions/0001-a.md" });
  assert.deepEqual(read.outdated, [{ line: 1, says: "superseded by `shop/decisions/0003-c.md`" }]);
});
