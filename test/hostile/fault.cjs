"use strict";
/**
 * Loaded before the built server: makes one of its file calls below one folder fail. `FAULT` says which, as JSON:
 * `root`, `at` (the number of the call, from 1; 0 for none), `action` (`before`, `half`, `after`: killed there; else the
 * code of an error), `reads` (whether calls that only read count), `lasting` (all later calls fail too), `tally` (a file
 * to write the number of calls to at the end).
 */
const fs = require("node:fs");

const fault = JSON.parse(process.env.FAULT);
const real = { writeFileSync: fs.writeFileSync, promises: { ...fs.promises } };
let count = 0;

// A full disk and too many open files do not prevent the removal of a file.
const isOurs = (path) =>
  typeof path === "string" &&
  (path === fault.root || path.startsWith(`${fault.root}/`) || path.startsWith("/proc/self/fd/"));
const die = () => {
  process.kill(process.pid, "SIGKILL");
  for (;;);
};
const failure = (name, path) =>
  Object.assign(new Error(`${fault.action}: raw message, ${name} '${path}'`), { code: fault.action, path });

/** Runs a call, or what should happen instead. */
function pass(name, path, call, half = () => {}) {
  count++;
  const isHit = count === fault.at || (fault.lasting && fault.at > 0 && count > fault.at);
  if (!isHit || (/^(?:rm|unlink)/.test(name) && /^(?:ENOSPC|EMFILE)$/.test(fault.action))) return call();
  if (fault.action === "before") return die();
  if (fault.action === "half") {
    half();
    return die();
  }
  if (fault.action !== "after") throw failure(name, path);
  const result = call();
  return result instanceof Promise ? result.then(die) : die();
}

function wrap(object, name, isAsync, half) {
  const own = object[name];
  const replacement = function (...args) {
    const run = () => own.apply(this, args);
    if (!isOurs(args[0])) return run();
    const cut = half === undefined ? undefined : () => half(args);
    if (!isAsync) return pass(name, args[0], run, cut);
    try {
      return Promise.resolve(pass(name, args[0], run, cut));
    } catch (error) {
      return Promise.reject(error);
    }
  };
  object[name] = Object.assign(replacement, own);
}

/** Counts the calls of a file that is open for writing, too. */
function watch(handle, path) {
  for (const name of ["writeFile", "sync", "close", "chmod"]) {
    const own = handle[name].bind(handle);
    handle[name] = async (...args) =>
      pass(
        name,
        path,
        () => own(...args),
        () => {
          if (name === "writeFile") fs.writeSync(handle.fd, args[0].subarray(0, args[0].length >> 1));
        },
      );
  }
  return handle;
}

const halfFile = ([path, content]) => real.writeFileSync(path, Buffer.from(content).subarray(0, 3));
wrap(fs.promises, "writeFile", true, halfFile);
for (const name of ["rename", "rm", "mkdir", "rmdir"]) wrap(fs.promises, name, true);
for (const name of [
  "rmSync",
  "rmdirSync",
  "unlinkSync",
  "mkdirSync",
  "writeFileSync",
  "renameSync",
  "linkSync",
])
  wrap(fs, name, false);
const { open } = fs.promises;
fs.promises.open = async (path, flags, ...rest) => {
  if (!isOurs(path)) return open(path, flags, ...rest);
  return watch(await pass("open", path, () => open(path, flags, ...rest)), path);
};
if (fault.reads) {
  for (const name of ["readFileSync", "statSync", "lstatSync", "readdirSync", "openSync", "realpathSync"]) {
    const { native } = fs[name];
    wrap(fs, name, false);
    if (native === undefined) continue;
    fs[name].native = native;
    wrap(fs[name], "native", false);
  }
  for (const name of ["readFile", "readdir", "stat"]) wrap(fs.promises, name, true);
}
if (fault.tally) process.on("exit", () => real.writeFileSync(fault.tally, String(count)));
