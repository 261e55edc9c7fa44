"use strict";
/**
 * Loaded before the built server: stops the whole process (SIGSTOP), once, right before it renames a file: `STOP=stage`
 * in the folder of the locks, before the last check of the lock; `STOP=name` under its final name, after that check.
 */
const fs = require("node:fs");
const { basename } = require("node:path");

const meant = process.env.STOP === "stage" ? /^\.vibe-mcp-.*\.tmp$/ : /\.md$/;
let isOver = false;
for (const name of ["renameSync", "linkSync"]) {
  const real = fs[name];
  fs[name] = (from, to) => {
    if (!isOver && meant.test(basename(to))) {
      isOver = true;
      process.kill(process.pid, "SIGSTOP");
      // Until the signal is there.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
    return real(from, to);
  };
}
