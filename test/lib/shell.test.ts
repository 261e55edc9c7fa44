import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { quoted } from "../../src/core/lib/shell.ts";
import { ATTACKS } from "../fixtures/attacks.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const MARKS = ["", "!", "'", '"', "$(id)", "`id`", "\\", " ", "\u202e", "\n"];
const WORDS = [
  ...ATTACKS.filter((text) => !text.includes("\0")),
  "a!first",
  "-rf",
  "ä b",
  ...MARKS.flatMap((first) => MARKS.map((second) => `a${first}!printf${second}b`)),
];

for (const shell of ["bash --norc", "zsh -f"])
  test(`a person's ${shell.slice(0, 4)} reads a quoted word as it is, past commands included`, (t) => {
    const [name = "", ...args] = shell.split(" ");
    const typed = WORDS.map((word) => `printf '%s\\0' ${quoted(word)}\n`).join("");
    const { stdout, error } = spawnSync(name, [...args, "-i"], {
      input: `PS1= PS2=\n: first\n${typed}exit\n`,
      env: { PATH: process.env["PATH"], HOME: temporaryFolder(t), LC_ALL: "C.UTF-8", HISTFILE: "" },
    });
    if (error !== undefined) return t.skip(`needs ${name}`);
    assert.deepEqual(stdout.toString().split("\0").slice(0, -1), WORDS);
  });
