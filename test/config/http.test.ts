import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { type HttpConfig, isLoopback, resolveHttpConfig } from "../../src/core/config/http.ts";
import { type Flags, UsageError } from "../../src/core/config/options.ts";
import { parseTokenFile } from "../../src/core/config/tokens.ts";

type Env = Record<string, string | undefined>;

const config = (flags: Flags = {}, env: Env = {}) => resolveHttpConfig(flags, env, resolve("/home/user"));
const [A, B] = ["a".repeat(32), "b".repeat(32)] as const;

const DEFAULTS: HttpConfig = {
  port: 8080,
  host: "127.0.0.1",
  tokens: [],
  tokenFile: undefined,
  strict: false,
  stateless: false,
  board: true,
  allowedHosts: [],
  allowedOrigins: [],
  trustProxy: false,
  maxSessions: 1000,
  sessionIdle: 3_600_000,
  oauth: undefined,
};

test("without flags and environment everything has its default", () => {
  assert.deepEqual(config(), DEFAULTS);
});

const VALUES: [flags: Flags, env: Env, expected: Partial<HttpConfig>][] = [
  [{ port: "0" }, { VIBE_PORT: "9" }, { port: 0 }],
  [{ host: "[::1]" }, {}, { host: "::1" }],
  [{}, { VIBE_AUTH_TOKEN: `${A}, ${B},` }, { tokens: [A, B].map((secret) => ({ secret, readOnly: false })) }],
  [{}, { VIBE_READ_TOKEN: A }, { tokens: [{ secret: A, readOnly: true }] }],
  [{ host: "0.0.0.0" }, { VIBE_READ_TOKEN: A }, { host: "0.0.0.0", tokens: [{ secret: A, readOnly: true }] }],
  [{}, { VIBE_AUTH_TOKEN_FILE: "~/t" }, { tokenFile: resolve("/home/user/t") }],
  [{ stateless: true, trustProxy: true }, {}, { stateless: true, board: false, trustProxy: true }],
  [{ noBoard: true }, {}, { board: false }],
  [
    {},
    { VIBE_ALLOWED_HOST: "Vibe.example.com, münchen.example,[fe80::1]" },
    { allowedHosts: ["vibe.example.com", "münchen.example", "[fe80::1]"] },
  ],
  [
    { allowedOrigin: "https://App.example.com/,http://localhost:80,app://obsidian.md" },
    {},
    { allowedOrigins: ["https://app.example.com", "http://localhost", "app://obsidian.md"] },
  ],
  [{ maxSessions: "1", sessionIdle: "5" }, {}, { maxSessions: 1, sessionIdle: 5000 }],
  [{ publicUrl: "https://vibe.example.com" }, {}, {}],
  [
    { oauth: true, publicUrl: "https://Vibe.example.com/", tokenFile: "/t", allowedHost: "b.example" },
    {},
    {
      oauth: "https://vibe.example.com",
      tokenFile: resolve("/t"),
      allowedHosts: ["b.example", "vibe.example.com"],
    },
  ],
  [
    { tokenFile: "/t" },
    { VIBE_OAUTH: "1", VIBE_PUBLIC_URL: "http://[::1]:8080" },
    { oauth: "http://[::1]:8080", tokenFile: resolve("/t"), allowedHosts: ["[::1]"] },
  ],
];

for (const [flags, env, expected] of VALUES) {
  test(`serve takes ${JSON.stringify({ ...flags, ...env })}`, () => {
    assert.deepEqual(config(flags, env), { ...DEFAULTS, ...expected });
  });
}

const WRONG: [flags: Flags, env: Env, message: RegExp][] = [
  [{ port: "65536" }, {}, /^--port must be a whole number from 0 to 65535, not "65536"/],
  [{}, { VIBE_PORT: "tcp://10.0.0.1:80" }, /^VIBE_PORT/],
  [{ host: "http://x" }, {}, /^--host/],
  [{ host: "0.0.0.0" }, {}, /no token protects it/],
  [{ host: "192.168.1.2" }, { VIBE_AUTH_TOKEN: " , " }, /no token protects it/],
  [{ host: "localhost.example.com" }, {}, /no token protects it/],
  [{ oauth: true, tokenFile: "/t" }, {}, /^--oauth needs --public-url/],
  [{ oauth: true, publicUrl: "https://v.example.com" }, {}, /^--oauth asks for a token/],
  [{ oauth: true, publicUrl: "http://v.example.com", tokenFile: "/t" }, {}, /^--public-url must be https/],
  [{ oauth: true, publicUrl: "https://v.example.com/notes", tokenFile: "/t" }, {}, /^--public-url must be/],
  [{ oauth: true, publicUrl: "https://me@v.example.com", tokenFile: "/t" }, {}, /^--public-url must be/],
  [{ oauth: true, tokenFile: "/t" }, { VIBE_PUBLIC_URL: "v.example.com" }, /^VIBE_PUBLIC_URL must be/],
  [{}, { VIBE_AUTH_TOKEN: "x".repeat(31) }, /^VIBE_AUTH_TOKEN holds a token of 31 bytes/],
  [{}, { VIBE_AUTH_TOKEN: `${A},short` }, /^VIBE_AUTH_TOKEN holds a token of 5/],
  [{}, { VIBE_AUTH_TOKEN: "鍵".repeat(10) }, /^VIBE_AUTH_TOKEN holds a token of 30 bytes/],
  [{}, { VIBE_READ_TOKEN: `${A}\u0007` }, /^VIBE_READ_TOKEN holds a token that no client can send/],
  [{}, { VIBE_AUTH_TOKEN: A, VIBE_READ_TOKEN: A }, /the same token/],
  [{ allowedHost: "https://vibe.example.com" }, {}, /^--allowed-host must be names without/],
  [{ allowedHost: "vibe.example.com:8080" }, {}, /^--allowed-host/],
  [{ allowedOrigin: "*" }, {}, /^--allowed-origin/],
  [{ allowedOrigin: "https://app.example.com/path" }, {}, /^--allowed-origin/],
  [{ allowedOrigin: "app://obsidian.md/path" }, {}, /^--allowed-origin/],
  [{ allowedOrigin: "null" }, {}, /^--allowed-origin/],
  [{ maxSessions: "0" }, {}, /^--max-sessions/],
  [{}, { VIBE_SESSION_IDLE: "forever" }, /^VIBE_SESSION_IDLE/],
  [{}, { VIBE_TRUST_PROXY: "perhaps" }, /^VIBE_TRUST_PROXY must be true or false/],
];

for (const [flags, env, message] of WRONG) {
  test(`serve refuses ${JSON.stringify({ ...flags, ...env }).slice(0, 70)}`, () => {
    assert.throws(
      () => config(flags, env),
      (error) => error instanceof UsageError && message.test(error.message),
    );
  });
}

test("no message repeats a token", () => {
  for (const env of [
    { VIBE_AUTH_TOKEN: "hunter2-hunter2" },
    { VIBE_AUTH_TOKEN: `${A}\u0007` },
    { VIBE_AUTH_TOKEN: A, VIBE_READ_TOKEN: A },
  ])
    assert.throws(
      () => config({}, env),
      (error: Error) => !error.message.includes("hunter2") && !error.message.includes(A),
    );
});

test("a token file has a token a line, comments, and tokens that only read", () => {
  assert.deepEqual(parseTokenFile(`\ufeff# mine\r\n${A} # laptop\n\n  READ   ${B}\n`, "f"), [
    { secret: A, readOnly: false },
    { secret: B, readOnly: true },
  ]);
  assert.deepEqual(parseTokenFile(`${A}#${B}`, "f"), [{ secret: `${A}#${B}`, readOnly: false }]);
  assert.deepEqual(parseTokenFile("# ana: revoked\n", "f"), []);
  const hash = `sha256:${"0a".repeat(32)}`;
  assert.deepEqual(parseTokenFile(`ana ${A}\nread bob-2 ${hash} # 2026-11-28\nPerson cy ${B}`, "f"), [
    { secret: A, readOnly: false, name: "ana" },
    { secret: hash, readOnly: true, name: "bob-2", made: "2026-11-28" },
    { secret: B, readOnly: false, isPerson: true, name: "cy" },
  ]);
  const seen = { secret: A, readOnly: true, name: "bob", projects: ["docs", "My notes, 2", "api-*"] };
  assert.deepEqual(parseTokenFile(`read bob ${A} docs, "My notes, 2",api-* # all`, "f"), [seen]);
  for (const text of [
    ...[`bob ${A} a b`, `bob ${A} a,`, `bob ${A} "a`, `${A} docs`],
    ...["", "\n\n", "short", `read ${A}\n${A}`, `Ana ${A}`, `a_b ${A}`, `read read ${A}`],
    ...[`ana ${A}\nana ${B}`, `ana bob ${A}`, "ana"],
  ])
    assert.throws(() => parseTokenFile(text, "f"), UsageError);
});

test("an address is this machine's own or it is not", () => {
  for (const host of ["localhost", "LOCALHOST", "127.0.0.1", "127.255.0.3", "::1", "[::1]"])
    assert.ok(isLoopback(host), host);
  for (const host of ["", "0.0.0.0", "::", "127.0.0.1.evil.example", "10.0.0.1"])
    assert.ok(!isLoopback(host), host);
});
