import { randomBytes } from "node:crypto";
import type { Config } from "../core/config/options.ts";
import { attempt } from "../core/storage/fs-errors.ts";
import { ownFile, writeOwnFile } from "../core/storage/own-file.ts";
import { readIfPresent } from "../core/storage/read.ts";

/** Where the board of a root was last, and the token that opens it: a page that is still open finds it there again. */
export interface BoardAccess {
  /** 0 for any that is free. */
  port: number;
  /** For this port alone: a program that took a port must not be able to pass on what it hears there. */
  token: string;
}

type Place = Pick<Config, "state" | "root">;

const FOLDER = "board";
const MAX_BYTES = 1000;
const MAX_PORT = 65_535;
const KEPT = /^([1-9]\d{0,4}) ([\w-]{43})\n$/;

/** The kept access; a new one if there is none or `port` is another. */
export function readAccess(place: Place, port?: number): BoardAccess {
  const text = attempt(() => readIfPresent(ownFile(place, FOLDER), MAX_BYTES)?.toString());
  const [, kept, token] = KEPT.exec(text ?? "") ?? [];
  const isKept = token !== undefined && Number(kept) <= MAX_PORT && (port ?? Number(kept)) === Number(kept);
  return isKept ? { port: Number(kept), token } : newAccess(port);
}

export function newAccess(port = 0): BoardAccess {
  return { port, token: randomBytes(32).toString("base64url") };
}

/** Keeps it for this user alone. Throws FILESYSTEM_ERROR. */
export async function keepAccess(place: Place, { port, token }: BoardAccess): Promise<void> {
  await writeOwnFile(ownFile(place, FOLDER), `${port} ${token}\n`);
}
