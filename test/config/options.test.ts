import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { test } from "node:test";
import {
  type Config,
  type Flags,
  OPTIONS,
  resolveConfig,
  UsageError,
} from "../../src/core/config/options.ts";

type Env = Record<string, string | undefined>;

const HOME = resolve("/home/user");
const config = (flags: Flags = {}, env: Env = {}): Config => resolveConfig(flags, env, HOME);

const DEFAULTS: Config = {
  root: join(HOME, ".vibe"),
  rootFrom: "default",
  db: join(HOME, ".vibe", "index.db"),
  dbNamed: false,
  project: undefined,
  readOnly: false,
  api: "v2",
  tools: "all",
  vault: join(HOME, ".vibe"),
  history: { on: true, days: 90, bytes: 200 * 1024 * 1024 },
  state: join(HOME, ".local", "state", "vibe-mcp"),
  boost: undefined,
  logLevel: "info",
  logFormat: "text",
  reindex: false,
  watch: true,
  sync: "auto",
  docs: true,
  stale: true,
};

test("without flags and environment everything has its default", () => {
  assert.deepEqual(config(), DEFAULTS);
});

const rootAt = (root: string): Partial<Config> => ({
  root,
  rootFrom: "setting",
  db: join(root, "index.db"),
  vault: root,
});

const VALUES: [name: string, flags: Flags, env: Env, expected: Partial<Config>][] = [
  [
    "the state folder from the system",
    {},
    { XDG_STATE_HOME: resolve("/srv/state") },
    { state: resolve("/srv/state/vibe-mcp") },
  ],
  ["no relative state folder", {}, { XDG_STATE_HOME: "state" }, {}],
  ["the root from the environment", {}, { VIBE_ROOT: "/srv/notes" }, rootAt(resolve("/srv/notes"))],
  ["a relative root", { root: "notes" }, {}, rootAt(resolve("notes"))],
  ["a root with odd parts", { root: "/srv/a/../notes/" }, {}, rootAt(resolve("/srv/notes"))],
  ["the home folder itself", { root: "~" }, {}, rootAt(HOME)],
  ["another user's home, which is a plain name", { root: "~other" }, {}, rootAt(resolve("~other"))],
  [
    "a tilde inside a path, which is a plain character",
    { root: "/srv/~/x" },
    {},
    rootAt(resolve("/srv/~/x")),
  ],
  ["the index file", {}, { VIBE_DB: "/srv/a.db" }, { db: resolve("/srv/a.db"), dbNamed: true }],
  ["a vault of its own", {}, { VAULT_ROOT: "~/docs" }, { vault: join(HOME, "docs") }],
  ["a vault by flag", { vault: "/srv/logs" }, { VAULT_ROOT: "/x" }, { vault: resolve("/srv/logs") }],
  ["no vault by flag", { vault: "off" }, { VAULT_ROOT: "/x" }, { vault: undefined }],
  ["a project", {}, { VIBE_PROJECT: " shop " }, { project: { name: "shop", source: "VIBE_PROJECT" } }],
  ["read-only by switch", { readOnly: true }, {}, { readOnly: true }],
  ["read-only off", {}, { VIBE_READ_ONLY: "false" }, { readOnly: false }],
  ["the tools to offer", { tools: "core" }, { VIBE_TOOLS: "all" }, { tools: "core" }],
  ["a log level in capitals", {}, { VIBE_LOG_LEVEL: "DEBUG" }, { logLevel: "debug" }],
  ["the earlier interface, with the boosts in full", {}, { VIBE_API: "V1" }, { api: "v1", boost: 1 }],
  [
    "the earlier interface, with other boosts",
    { api: "v1" },
    { VIBE_BOOST: "0.3" },
    { api: "v1", boost: 0.3 },
  ],
  ["a rebuild", { reindex: true }, {}, { reindex: true }],
  ["spaces around a value of the environment", {}, { VIBE_LOG_LEVEL: " warn\n" }, { logLevel: "warn" }],
];

test("the notes of a repository come before the default, and after what is named", () => {
  const found = resolve("/srv/shop/.vibe");
  const inRepository = resolveConfig({}, {}, HOME, found);
  assert.deepEqual(inRepository, { ...DEFAULTS, ...rootAt(found), rootFrom: "repository" });
  const named = resolveConfig({}, { VIBE_ROOT: "/srv/notes" }, HOME, found);
  assert.deepEqual(named, { ...DEFAULTS, ...rootAt(resolve("/srv/notes")) });
});

for (const [name, flags, env, expected] of VALUES) {
  test(`the configuration takes ${name}`, () => {
    assert.deepEqual(config(flags, env), { ...DEFAULTS, ...expected });
  });
}

test("a flag wins over the environment, also where it switches off", () => {
  const env = {
    VIBE_ROOT: "/env",
    VIBE_DB: "/env/a.db",
    VIBE_PROJECT: "a",
    VIBE_READ_ONLY: "true",
    VIBE_API: "v2",
    VIBE_TOOLS: "core",
    VIBE_BOOST: "1",
    VIBE_HISTORY: "1d",
    VIBE_LOG_LEVEL: "debug",
    VIBE_WATCH: "auto",
    VIBE_SYNC: "auto",
    VIBE_DOCS: "on",
  };
  const flags = {
    root: "/flag",
    db: "/flag/a.db",
    project: "b",
    readOnly: false,
    api: "v1",
    tools: "read",
    boost: "0",
    history: "5GB,2d",
    logLevel: "error",
    watch: "off",
    sync: "off",
    docs: true,
  };
  assert.deepEqual(config(flags, env), {
    root: resolve("/flag"),
    rootFrom: "setting",
    db: resolve("/flag/a.db"),
    dbNamed: true,
    vault: resolve("/flag"),
    project: { name: "b", source: "--project" },
    readOnly: false,
    api: "v1",
    tools: "read",
    state: join(HOME, ".local", "state", "vibe-mcp"),
    history: { on: true, days: 2, bytes: 5 * 1024 ** 3 },
    boost: 0,
    logLevel: "error",
    logFormat: "text",
    reindex: false,
    watch: false,
    sync: "off",
    docs: false,
    stale: true,
  });
  assert.equal(config({}, { VIBE_DOCS: "off" }).docs, false);
  assert.equal(config({}, { VIBE_STALE: "off" }).stale, false);
});

test("a flag that is given hides a wrong value of the environment", () => {
  assert.equal(config({ boost: "0.2" }, { VIBE_BOOST: "much" }).boost, 0.2);
});

test("an empty variable counts as not set", () => {
  const names = Object.values(OPTIONS).flatMap((option) => ("variable" in option ? [option.variable] : []));
  assert.ok(names.length >= 5);
  for (const empty of ["", "  ", "\n"]) {
    assert.deepEqual(config({}, Object.fromEntries(names.map((name) => [name, empty]))), DEFAULTS);
  }
});

test("variables of other names are not read", () => {
  assert.deepEqual(config({}, { HOME: "/other", ROOT: "/x", VIBE_REINDEX: "1", vibe_root: "/x" }), DEFAULTS);
});

const WRONG: [source: string, flags: Flags, env: Env][] = [
  ["--read-only", { readOnly: "maybe" }, {}],
  ["VIBE_READ_ONLY", {}, { VIBE_READ_ONLY: "2" }],
  ["--reindex", { reindex: "full" }, {}],
  ["--boost", { boost: "" }, {}],
  ["--boost", { boost: "0,5" }, {}],
  ["VIBE_HISTORY", {}, { VIBE_HISTORY: "9x" }],
  ["--log-level", { logLevel: "verbose" }, {}],
  ["VIBE_LOG_LEVEL", {}, { VIBE_LOG_LEVEL: "info\nwarn" }],
  ["--project", { project: " " }, {}],
  ["VIBE_API", {}, { VIBE_API: "v3" }],
];

for (const [source, flags, env] of WRONG) {
  test(`${source} refuses ${JSON.stringify({ ...flags, ...env })} in one line that names it`, () => {
    assert.throws(
      () => config(flags, env),
      (error) => {
        assert.ok(error instanceof UsageError);
        assert.ok(error.message.startsWith(`${source} must be `), error.message);
        assert.doesNotMatch(error.message, /\p{Cc}/u);
        return true;
      },
    );
  });
}

test("the defaults that the help shows are the ones that apply", () => {
  assert.equal(config({ root: OPTIONS.root.fallback }).root, DEFAULTS.root);
  for (const name of ["logLevel", "readOnly", "api", "tools"] as const) {
    assert.deepEqual(config({ [name]: OPTIONS[name].fallback }), DEFAULTS, name);
  }
  assert.equal(config({ reindex: OPTIONS.reindex.fallback }).reindex, DEFAULTS.reindex);
});
