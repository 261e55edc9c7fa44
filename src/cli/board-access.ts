import { randomBytes } from "node:crypto";
import type { Config } from "../config/options.ts";
import { attempt } from "../storage/fs-errors.ts";
import { ownFile, writeOwnFile } from "../storage/own-file.ts";
import { readIfPresent } from "../storage/read.ts";

/** Where the board of a root was, and the token that opens it: a page that is still open finds it there again. */
export interface BoardAccess {
  /** 0 before the first start. */
  port: number;
  token: string;
}

type Place = Pick<Config, "state" | "root">;

const FOLDER = "board";
const MAX_BYTES = 1000;
const MAX_PORT = 65_535;
const KEPT = /^([1-9]\d{0,4}) ([\w-]{43})\n$/;

/** The kept access, or a new one. */
export function readAccess(place: Place): BoardAccess {
  const text = attempt(() => readIfPresent(ownFile(place, FOLDER), MAX_BYTES)?.toString());
  const [, port, token] = KEPT.exec(text ?? "") ?? [];
  if (token !== undefined && Number(port) <= MAX_PORT) return { port: Number(port), token };
  return { port: 0, token: randomBytes(32).toString("base64url") };
}

/** Keeps it for this user alone. Throws FILESYSTEM_ERROR. */
export async function keepAccess(place: Place, { port, token }: BoardAccess): Promise<void> {
  await writeOwnFile(ownFile(place, FOLDER), `${port} ${token}\n`);
}
