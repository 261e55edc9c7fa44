import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config/options.ts";
import { attempt } from "../storage/fs-errors.ts";
import { nameForRoot, writeOwnFile } from "../storage/own-file.ts";
import { readIfPresent } from "../storage/read.ts";

/** Where the board of a root was, and the token that opens it: a page that is still open finds it there again. */
export interface BoardAccess {
  /** 0 before the first start. */
  port: number;
  token: string;
}

const FOLDER = "board";
const MAX_BYTES = 1000;
const MAX_PORT = 65_535;
const KEPT = /^([1-9]\d{0,4}) ([\w-]{43})\n$/;

/** The kept access, or a new one. */
export function readAccess({ state, root }: Pick<Config, "state" | "root">): BoardAccess {
  const text = attempt(() => readIfPresent(join(state, FOLDER, nameForRoot(root)), MAX_BYTES)?.toString());
  const [, port, token] = KEPT.exec(text ?? "") ?? [];
  if (token !== undefined && Number(port) <= MAX_PORT) return { port: Number(port), token };
  return { port: 0, token: randomBytes(32).toString("base64url") };
}

/** Keeps it for this user alone. Throws FILESYSTEM_ERROR. */
export async function keepAccess(
  { state, root }: Pick<Config, "state" | "root">,
  { port, token }: BoardAccess,
): Promise<void> {
  await writeOwnFile(join(state, FOLDER), nameForRoot(root), `${port} ${token}\n`);
}
