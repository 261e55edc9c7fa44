import assert from "node:assert/strict";
import { test } from "node:test";
import { MASK, maskSecrets } from "../../src/transcripts/secrets.ts";

// In parts, so that no scanner of repositories takes them for real ones.
const random = (length: number) => "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC".repeat(4).slice(0, length);
const upper = (length: number) => random(length).toUpperCase();

const SECRETS: [text: string, secret: string][] = [
  [`use ${`sk-ant-${random(30)}`} here`, random(30)],
  [`sk-${"proj"}-${random(40)}`, random(40)],
  [`sk_${"live"}_${random(24)}`, random(24)],
  [`gh${"p"}_${random(36)}`, random(36)],
  [`github_${"pat"}_${random(40)}`, random(40)],
  [`gl${"pat"}-${random(20)}`, random(20)],
  [`AK${"IA"}${upper(16)}`, upper(16)],
  [`AI${"za"}${random(35)}`, random(35)],
  [`xox${"b"}-123456789012-${random(12)}`, random(12)],
  [`https://hooks.slack.com/services/T00/B00/${random(24)}`, random(24)],
  [`npm${"_"}${random(36)}`, random(36)],
  [`hf${"_"}${random(30)}`, random(30)],
  [`S${"G"}.${random(22)}.${random(43)}`, random(22)],
  [`ey${"J"}hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random(20)}`, "eyJzdWIiOiIxMjM0NTY3ODkwIn0"],
  [`-----BEGIN RSA ${"PRIVATE"} KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----`, "def"],
  [`-----BEGIN ${"PRIVATE"} KEY-----\nabc, cut`, "abc"],
  ["postgres://ana:hunter2@db.example.com/x", "hunter2"],
  ["DB_PASSWORD=hunter2 npm start", "hunter2"],
  ["password: hunter2", "hunter2"],
  ['{"api_key": "hunter two"}', "hunter two"],
  ["--token hunter2", "hunter2"],
  ["curl -H 'Authorization: Bearer hunter2'", "hunter2"],
  ["Authorization: Basic YW5hOmh1bnRlcjI=", "YW5hOmh1bnRlcjI"],
  ["?access_token=hunter&x=1", "hunter"],
  ["The password is hunter2.", "hunter2"],
  ["la contraseña es hunter2", "hunter2"],
  ["パスワードは hunter です", "hunter"],
  ["bearer token: abc", "abc"],
  [`the value ${random(40)} is new`, random(40)],
];

const WORDS = [
  "The token bucket refills once per second.",
  "The password is wrong",
  "Commit 9b2f4f0c1d2e3a4b5c6d7e8f9a0b1c2d3e4f5a6b fixes it",
  "src/transports/http/oauth/authorization-server-metadata.ts",
  "https://example.com/a/very/long/path/With/Capitals/And/123/Numbers",
  "thisIsAVeryLongNameOfAFunctionInSomeLibraryWithoutDigits",
  "Add secret rotation to the API",
];

test("keys, tokens and passwords are masked", () => {
  for (const [text, secret] of SECRETS) {
    const masked = maskSecrets(text);
    assert.ok(!masked.includes(secret), `${text} → ${masked}`);
    assert.ok(masked.includes(MASK), text);
  }
});

test("words, hashes of commits and paths are not", () => {
  for (const text of WORDS) assert.equal(maskSecrets(text), text);
});

test("masking takes time in proportion to the text", () => {
  for (const part of [
    "a://",
    "password ",
    "-----BEGIN PRIVATE KEY-----",
    "aB1",
    "git commit ",
    "eyJ.",
    "[a",
  ]) {
    const text = part.repeat(Math.ceil(20_000 / part.length));
    const start = performance.now();
    maskSecrets(text);
    assert.ok(performance.now() - start < 2_000, part);
  }
});
