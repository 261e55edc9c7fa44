"use strict";
/** Loaded before the built server: its clock for lengths of time runs a hundred times as fast, so that seconds need no waiting. */
const { uptime } = process;
process.uptime = () => uptime.call(process) * 100;
