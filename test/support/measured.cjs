"use strict";
const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { findSourceMap } = require("node:module");
const { join, resolve } = require("node:path");
const { pathToFileURL } = require("node:url");

const PROJECT = resolve(__dirname, "..", "..");
const SOURCES = pathToFileURL(join(PROJECT, "src")).href;

/**
 * Runs the sources in the place of the built file, and leaves in a folder what of them ran, in the form of Node's
 * NODE_V8_COVERAGE: that variable would have to reach each process, and brings megabytes of all other modules along.
 */
module.exports = (folder) => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  process.on("exit", () => save(session, folder));
  // Sent where SIGKILL is sent otherwise, which leaves nothing.
  process.on("SIGUSR2", () => {
    save(session, folder);
    process.kill(process.pid, "SIGKILL");
  });
  process.setSourceMapsEnabled(true);
  globalThis.VIBE_MCP_VERSION = require(join(PROJECT, "package.json")).version;
  process.env.NODE_V8_COVERAGE = folder;
  void import("tsx").then(() => import(`${SOURCES}/cli.ts`));
};

function save(session, folder) {
  session.post("Profiler.takePreciseCoverage", (error, taken) => {
    if (error) throw error;
    const result = taken.result.filter(({ url }) => url.startsWith(SOURCES));
    const maps = result.map(({ url }) => [url, mapOf(url)]);
    const file = join(folder, `coverage-${process.pid}-${process.hrtime.bigint()}.json`);
    writeFileSync(file, JSON.stringify({ result, "source-map-cache": Object.fromEntries(maps) }));
  });
}

/** As Node keeps it: with the lengths of the lines, which stand for the text that was run. */
function mapOf(url) {
  const { payload, lineLengths } = findSourceMap(url) ?? {};
  return { lineLengths, data: payload, url: null };
}
