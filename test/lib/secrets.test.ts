import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MASK, maskSecrets } from "../../src/core/lib/secrets.ts";
import { SERVICE_KEYS } from "../../src/core/lib/service-keys.ts";
import { assertProportionate } from "../fixtures/growth.ts";
import { someOf } from "../fixtures/num-runs.ts";

const NAMES = [
  "password",
  "Password",
  "passphrase",
  "passwd",
  "DB_PASSWORD",
  "DB_PASS",
  "dbPassword",
  "db.password",
  "secret",
  "client_secret",
  "clientSecret",
  "token",
  "access token",
  "authToken",
  "X-Auth-Token",
  "api key",
  "API key",
  "API_KEY",
  "apiKey",
  "X-Api-Key",
  "private key",
  "AWS_SECRET_ACCESS_KEY",
  "credentials",
  "PIN",
  "contraseña",
  "clave de API",
  "パスワード",
  "トークン",
  "APIキー",
  "Passwort",
  "mot de passe",
  "senha",
  "пароль",
  "密码",
  "비밀번호",
];

/** What mixes letters and digits. */
const MIXED = [
  "hunter2x",
  "hunter2",
  "9f86d081884c7d65",
  "550e8400e29b41d4a716446655440000",
  "123e4567-e89b-12d3-a456-426614174000",
  "4711-0815",
  "user/pass9",
  "v1.2.3-abc9",
  "S3cr3t!pw",
  "pa$$word",
  "c29tZXRoaW5nMQ==",
  "abc123def456.xyz",
];
const WORDS = ["hunter", "Correcthorse", "correct-horse"];

/** What gives a value to a name. */
const SIGNS = [
  "N: V",
  "N=V",
  "N = V",
  "N : V",
  "N := V",
  "N => V",
  "N：V",
  "**N:** V",
  "- N: V",
  "N: `V`",
  "N: **V**",
  "N = 'V'",
  '"N": "V"',
  "'N' => 'V'",
  '{ "N": "V", "port": 80 }',
  '{\\"N\\":\\"V\\"}',
  'N = b"V"',
  "N: str = 'V'",
  'N: string = "V";',
  "N:\n  V9",
  "N: [V]",
  "N=V; next",
  "use N=V please",
  "`N`: V",
];
const OPTIONS = ["run --N V", "run --N=V", "run --N 'V' -x", '["--N", "V"]'];
const OPTION_NAMES = NAMES.filter((name) => /^[\w-]+$/.test(name));
const SENTENCES = [
  "The N is V.",
  "my N V",
  "my N is V, keep it",
  "use N V for it",
  "N V",
  "The N of the database is V.",
  "the N for staging: V",
  "Set the N to V",
  "the N is `V`",
  'the N "V" works',
  "N (V)",
  "| N | V |",
  "la N es V",
  "la N del servidor es V.",
  "mi N: V",
  "Nは V です",
  "NはVです",
  "DBのNは「V」です",
  "N V を使って",
];

/** Each with each; an option has no space in its name. */
const TABLE = [
  ...SIGNS.flatMap((frame) => [...MIXED, ...WORDS].flatMap((value) => rows(frame, NAMES, value))),
  ...OPTIONS.flatMap((frame) => [...MIXED, ...WORDS].flatMap((value) => rows(frame, OPTION_NAMES, value))),
  ...SENTENCES.flatMap((frame) => MIXED.flatMap((value) => rows(frame, NAMES, value))),
];

function rows(frame: string, names: readonly string[], value: string) {
  return names.map((name) => ({ value, text: frame.replace("N", () => name).replace("V", () => value) }));
}

/** What a note may say of secrets without one. */
const HARMLESS = [
  "https://store.example.com/app?appid=1091500",
  '["mysql","-p","shop"]',
  "src/transports/http/oauth/authorization-server-metadata.ts",
  "https://example.com/a/very/long/path/With/Capitals/And/123/Numbers",
  "thisIsAVeryLongNameOfAFunctionInSomeLibraryWithoutDigits",
  "max_tokens=4096",
  "password_file=/run/secrets/db",
  "PWD=/home/ana/project",
  "http://localhost:3000/@vite/client",
  "https://registry.npmjs.org/@scope/pkg",
  "git@github.com:ana/repo.git",
  "npm:react@18.2.0",
  "mailto:bob1@example.com",
  "msbuild x.sln /p:Configuration=Release /t:Build",
  "https://ana@example.com/x and ssh://git@github.com/a",
  "https://username@example.com and https://medium.com/@anagarcia",
  'required: ["email", "password"]',
  '["password", "email"]',
  '["user", "password", "created_at"]',
  '["password", "token"]',
  'it("password", "is asked for")',
  "pick('token', 'expires_in')",
  "// ask: ana@example.com",
  "The token bucket refills 50 times per second, at most 5,000 a day.",
  "Commit 9b2f4f0c1d2e3a4b5c6d7e8f9a0b1c2d3e4f5a6b fixes it",
  "Add secret rotation to the API",
  "password: see the vault",
  "token count: 5,000",
  "key: value",
  "Note: the key is under the mat",
  "primary key: id",
  "PASS: 12, FAIL: 0",
  "The first pass: done",
  "token_type: bearer",
  "secretName: db-credentials",
  "The `--token` flag is required",
  `password: $\{PASSWORD}`,
  "password: $DB_PASSWORD",
  `password: $\{{ secrets.DB_PASSWORD }}`,
  "token: process.env.TOKEN",
  "password: <password>",
  "password: ********",
  "password = getPassword()",
  "password: string;",
  "const token: string | undefined",
  "password:\n\nOpen the vault to see it.",
  "secret:\n  secretKeyRef:\n    name: db\n",
  'password = os.getenv("DB_PASSWORD")',
  "Rotate the API key of postgres16 and node22 before 2026-11-20, see docs/keys2.md",
  "The token endpoint of OAuth2 is /oauth2/token",
  "The secret is in 004-rotate-keys, commit abc1234def5",
  "Rotate the signing keys, and say what is left.",
  "The password field is empty",
  "Session 0f8fad5b-d9cb-469f-a165-70867728950e ended",
  "docker run -p 8080:80 -u 1000:1000 nginx",
  "mysql -P 3306 -h db",
  "Basic authentication is off",
  "auth: oauth2 with PKCE",
  "The cookie banner is gone",
  "The passenger list has 40 rows",
  "bypass: see 001-rotate-keys",
  "| token | meaning |\n|---|---|\n",
  "tokenizer: cl100k",
  "The monkey is 3 years old",
  "Due: 2026-11-20, priority: high, owner: ana",
  "We hash passwords with argon2id",
  "The token expires in 30min",
  "See [[004-rotate-keys]] and docs/security.md",
  "feat(auth): rotate keys (#123)",
  "if (token !== other.token) return false;",
  "const password = options.password;",
  "curl -u $USER:$PASS https://example.com",
  `curl -u "$USER:$\{PASS}" https://example.com`,
  "at tests/password.test.ts:12",
  "Use the password manager 1Password for it.",
  "fetch(url, { credentials: 'same-origin' })",
  "credentials: include",
  '<label for="token">Token</label>',
  "kind: ConfigMap\ndata:\n  url: https://example.com\n",
  "vault login -method=oidc",
];

test("at least 95% of names, values and ways to write them are masked", () => {
  const kept = TABLE.filter(({ text, value }) => maskSecrets(text).includes(value));
  assert.ok(TABLE.length > 10_000);
  assert.ok(kept.length <= TABLE.length * 0.05, `${kept.length}: ${JSON.stringify(kept.slice(0, 20))}`);
});

test("at most one in ten harmless lines is masked", () => {
  const masked = HARMLESS.filter((text) => maskSecrets(text) !== text);
  assert.ok(HARMLESS.length >= 80);
  assert.ok(masked.length <= HARMLESS.length / 10, JSON.stringify(masked));
});

/** How keys begin, and how many characters follow at least; `x` for digits and small letters up to f. */
const BEGINNINGS = [
  ["sk-…20", "sk-ant-api03-…40", "sk-proj-…40", "sk-or-v1-…40x"],
  ["xai-…40", "gsk_…40", "pplx-…40", "nvapi-…40", "r8_…37"],
  ["hf_…34", "lsv2_pt_…32x", "pcsk_…40", "tvly-…32"],
  ["ghp_…36", "gho_…36", "ghu_…36", "ghs_…36", "ghr_…36", "github_pat_…40"],
  ["glpat-…20", "glrt-…20", "gldt-…20", "GR1348941…20", "ATATT3…60", "ATBB…32"],
  ["AKIA…16", "ABSK…110"],
  ["AIza…35", "ya29.…60", "GOCSPX-…28", "1//0…60", "LTAI…20", "AQVN…36"],
  ["dop_v1_…64x", "doo_v1_…64x", "fo1_…43", "fm2_…100", "nfp_…40"],
  ["pscale_pw_…40", "pscale_tkn_…40", "sbp_…40x", "sb_secret_…30", "dapi…32x"],
  ["hvs.…90", "hvb.…138", "aB3dE5gH7jK9mN.atlasv1.…60", "dp.pt.…43", "ops_eyJ…250", "AGE-SECRET-KEY-1…58"],
  ["xoxb-123456789012-…12", "xoxp-…40", "xoxe.xoxb-1-…60", "xapp-1-…40"],
  ["https://hooks.slack.com/services/T00/B00/…24", "https://hooks.slack.com/triggers/…40"],
  ["https://discord.com/api/webhooks/1234567890/…60", "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.…38"],
  ["https://x.webhook.office.com/webhookb2/…60", "123456789:AA…33"],
  ["SK…32x", "AC…32x", "key-…32x", "SG.aB3dE5gH7jK9mN1pQ2rS4t.…43"],
  ["rk_live_…24", "sk_live_…24", "sk_test_…24", "whsec_…32", "EAAA…60", "sq0atp-…22", "shpat_…32x"],
  ["npm_…36", "pypi-AgEIcHlwaS5vcmc…60", "rubygems_…48x", "oy2…43x", "dckr_pat_…27", "AKCp…69"],
  ["glc_…40", "glsa_…40", "NRAK-…27", "phx_…40", "sntrys_…60", "sntryu_…64x"],
  ["lin_api_…40", "ntn_…46", "figd_…40", "tskey-auth-…30", "PMAK-…40x"],
  ["eyJhbGciOiJIUzI1NiJ9.…40"],
  ["$2b$12$…53", "$argon2id$v=19$…60", "{SSHA}…32"],
];
const MIX = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC".repeat(10);

test("keys of services are masked by how they begin", () => {
  const keys = BEGINNINGS.flat().map((said) => {
    const [, beginning = "", count, of] = /^(.+)…(\d+)(x?)$/.exec(said) ?? [];
    return beginning + (of === "x" ? "0123456789abcdef".repeat(10) : MIX).slice(0, Number(count));
  });
  const around = [
    (key: string) => `see ${key} there`,
    (key: string) => `"${key}"`,
    (key: string) => `x=${key}&y`,
  ];
  const kept = keys
    .flatMap((key) => around.map((wrap) => maskSecrets(wrap(key))))
    .filter((text) => /[A-Za-z0-9]{10,}/.test(text));
  assert.deepEqual(kept, []);
  const unseen = SERVICE_KEYS.filter(([, beginning]) => !keys.some((key) => beginning.test(key)));
  assert.deepEqual(unseen, []);
});

/** What is no name with its value. */
const PLACES = [
  `-----BEGIN ${"OPENSSH"} PRIVATE KEY-----\nhunter2pass\n-----END OPENSSH PRIVATE KEY-----`,
  `-----BEGIN ENCRYPTED ${"PRIVATE"} KEY-----\nhunter2pass`,
  `"-----BEGIN ${"PRIVATE"} KEY-----\\nhunter2pass\\n-----END PRIVATE KEY-----\\n"`,
  `-----BEGIN PGP ${"PRIVATE"} KEY BLOCK-----\n\nhunter2pass\n-----END PGP PRIVATE KEY BLOCK-----`,
  "postgres://ana:hun@hunter2pass@db",
  "redis://:hunter2pass@cache:6379/0",
  "https://hunter2pass0123456789@git.example.com/x.git",
  "curl -u ana:hunterpass x",
  "mysql -u root -phunterpass db",
  "sshpass -p hunterpass ssh x",
  "docker login -u ana -p hunterpass registry",
  '<password type="x">hunterpass</password>',
  "- name: DB_PASSWORD\n  value: hunter2pass",
  '<add key="ApiToken" value="hunterpass" />',
  `PASSWORD: $\{PASSWORD:-hunterpass}`,
  "passphrase: correct horse hunterpass staple",
  '{\\"password\\": \\"hun\\\\\\"ter hunter2pass\\"}',
  "Changed the password from hunter2pass to x9hunter2pass",
];

test("secrets are masked by where they stand", () => {
  assert.deepEqual(
    PLACES.map(maskSecrets).filter((text) => text.includes("hunter") || !text.includes(MASK)),
    [],
  );
});

test("the page on capture promises what is done", () => {
  const page = readFileSync("docs/capture.md", "utf8");
  const promised = [...page.matchAll(/^\|[^|\n]*\| `((?:\\\||[^|\n])+)` \| `((?:\\\||[^|\n])+)` \|$/gm)];
  assert.ok(promised.length > 10);
  const cell = (text = "") => text.replaceAll("\\|", "|");
  assert.deepEqual(
    promised.map(([, text]) => maskSecrets(cell(text))),
    promised.map(([, , kept]) => cell(kept)),
  );
});

test("the lines around a secret stay, and what is masked stays as it is when it is masked again", () => {
  for (const text of [...PLACES, ...someOf(TABLE).map((row) => row.text)]) {
    const masked = maskSecrets(`Before it\n\n${text}\n\nBehind it`);
    assert.ok(masked.startsWith("Before it\n\n"), masked);
    if (!/-----BEGIN(?!.*END)/s.test(text)) assert.ok(masked.endsWith("\n\nBehind it"), masked);
    assert.equal(maskSecrets(masked), masked);
  }
});

test("masking takes time in proportion to the text", () => {
  const parts = [
    "x.atlasv1.",
    "パスワード",
    "password=",
    'password: "',
    "the password a b c ",
    `$\{PASSWORD:-`,
    "-----BEGIN PRIVATE KEY-----",
    "--token ",
    "eyJ-",
    "aB1/",
    "a:",
    "<password a",
    "https://a1",
    " -u a:",
    '\\\\"',
    "`",
    "$",
  ];
  assertProportionate(parts, maskSecrets, 10_000);
});
