import fs, { chmodSync, statSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { TestContext } from "node:test";

const NOBODY = 65534;

export const ON_WINDOWS = process.platform === "win32";

/** Root may do what permissions forbid; nobody may not. */
async function withoutPrivileges<T>(run: () => T | Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}

/** Runs `run`, without root's power, while a file or folder has other permissions. */
export async function withMode<T>(file: string, mode: number, run: () => T | Promise<T>): Promise<T> {
  const before = statSync(file).mode;
  chmodSync(file, mode);
  try {
    return await withoutPrivileges(run);
  } finally {
    chmodSync(file, before);
  }
}

export function systemError(code: string, file = "/secret/place"): Error {
  return Object.assign(new Error(`${code}: raw message, open '${file}'`), { code, path: file });
}

type Call = (...args: unknown[]) => unknown;

/** Replaces one call of `node:fs` until the test ends; the replacement gets the real one first. */
export function replaceCall(t: TestContext, name: keyof typeof fs, make: (real: Call) => Call): void {
  replaceIn(t, fs as unknown as Record<string, Call>, name, make);
}

/** The same for `node:fs/promises`. */
export function replaceAsyncCall(
  t: TestContext,
  name: keyof typeof promises,
  make: (real: Call) => Call,
): void {
  replaceIn(t, promises as unknown as Record<string, Call>, name, make);
}

function replaceIn(t: TestContext, module: Record<string, Call>, name: string, make: (real: Call) => Call) {
  const real = module[name] as Call;
  module[name] = make(real);
  syncBuiltinESMExports();
  t.after(() => {
    module[name] = real;
    syncBuiltinESMExports();
  });
}
