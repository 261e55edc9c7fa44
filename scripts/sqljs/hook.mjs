import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const ENGINE = /\/src\/sqlite\/engine\.ts(?=$|\?)/;

// With `node --import ./scripts/sqljs/hook.mjs`, imports of our engine get the one on sql.js. Node resolves in a thread of its own.
if (isMainThread) register(import.meta.url);

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  return { ...resolved, url: resolved.url.replace(ENGINE, "/scripts/sqljs/engine.ts") };
}
