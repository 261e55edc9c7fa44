import assert from "node:assert/strict";
import { test } from "node:test";
import { maskAddresses } from "../../src/core/git/address.ts";
import { gitFailure } from "../../src/core/git/failure.ts";
import { remoteAddress } from "../../src/together/sync/setup.ts";

const HEX = "0123456789abcdef0123456789abcdef01234567";
const KEYS = [
  "ghp_SECRETsecret0123456789SECRETsecret0123",
  "github_pat_11ABCDEFG0123456789_abcdefghijklmnop",
  "ghs_16C7e42F292c6912E7710c838347Ae178B4a",
  "glpat-aB3dE5gH7jK9mN1pQ3sT",
  "gldt-aB3dE5gH7jK9mN1pQ3sT",
  "ATBBaB3dE5gH7jK9mN1pQ3sT5vX7",
  "ATCTT3xFfGN0aB3dE5gH7jK9mN1pQ3sT",
  "abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst",
  "550e8400-e29b-41d4-a716-446655440000",
  HEX,
  encodeURIComponent("aB3/dE5+gH7=jK9mN1pQ3sT5vX7"),
];

const PEOPLE = [
  "ana",
  "git",
  "ana.lopez",
  "ana%40example.com",
  "maximiliane-von-hohenstein",
  "ana2",
  "x-access-token",
];

test("an address whose user is a key, or that has a password, is refused, and the refusal does not show it", () => {
  const addresses = [
    ...KEYS.flatMap((key) => [
      `https://${key}@notes.example/r.git`,
      `https://${key}:x-oauth-basic@notes.example/r.git`,
    ]),
    ...KEYS.flatMap((key) => [`ssh://${key}@notes.example/r.git`, `http://${key}@notes.example/r.git`]),
    ...["x-access-token", "oauth2", "ana"].map((name) => `https://${name}:${HEX}@notes.example/r.git`),
    `ssh://ana:${HEX}@notes.example/r.git`,
    `${KEYS[0]}@notes.example:r.git`,
    `https://notes.example/r.git?private_token=${HEX}`,
  ];
  for (const address of addresses)
    assert.throws(
      () => remoteAddress(address, "/home/ana"),
      (error: Error) => {
        assert.match(error.message, /credential\.helper|no remote for notes/);
        for (const key of KEYS) assert.ok(!error.message.includes(key), error.message);
        return true;
      },
      address,
    );
});

test("an address with the name of a person is used and shown unchanged", () => {
  const names = [...PEOPLE, "ana-at-123456789012"];
  const addresses = names.flatMap((name) => [
    `https://${name}@notes.example/r.git`,
    `ssh://${name}@notes.example:22/r.git`,
  ]);
  const others = [
    "git@notes.example:ana/r.git",
    "https://notes.example/r.git",
    "/srv/a@b/r.git",
    `/srv/${HEX}`,
  ];
  for (const address of [...addresses, ...others]) {
    assert.equal(remoteAddress(address, "/home/ana"), address);
    assert.equal(maskAddresses(address), address);
  }
});

test("what git says shows no key of an address", () => {
  for (const key of KEYS)
    for (const said of [
      `fatal: repository 'https://${key}@notes.example/r.git/' is odd`,
      `fatal: https://ana:${key}@notes.example/r.git/info/refs not valid`,
      `error: remote ${key}@notes.example:r.git said no`,
      `fatal: https://notes.example/r.git?token=${key} is odd`,
    ]) {
      const { message } = gitFailure({ stderr: said });
      assert.ok(!message.includes(key), message);
      assert.match(message, /•••.*notes\.example|notes\.example.*•••/);
    }
});

test("a password with a space, which no address can have, is not shown either", () => {
  for (const typed of ["https://ana:hunter2 secret@host/x", "ssh://ana:two words here@host/x"])
    assert.throws(
      () => remoteAddress(typed, "/"),
      (error: Error) => !/hunter2|secret|words/.test(error.message) && error.message.includes("•••"),
      typed,
    );
  const plain = "https://host.example/x: not found, ask ana@example.com";
  assert.equal(maskAddresses(plain), plain);
});
