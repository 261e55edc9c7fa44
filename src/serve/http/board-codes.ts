import { randomBytes } from "node:crypto";
import { digestOf, findCredential } from "./authenticate.ts";
import { readBody } from "./body.ts";
import type { Route } from "./context.ts";
import { refusal, sendJson } from "./exchange.ts";
import { countFailedLogin } from "./limits.ts";

const CODE_BYTES = 16;
const LIFE_MS = 300_000;
/** The oldest of more are forgotten. */
const MAX_CODES = 100;
const MAX_BODY_BYTES = 100;

/** Codes for addresses of the board: browsers keep addresses, so they must not hold the token. */
export interface BoardCodes {
  /** Works once, for five minutes. */
  issue(): string;
  /** `spent` is a code that worked before. */
  redeem(code: string): { token: string } | "spent" | "unknown";
}

/** `now` in milliseconds. */
export function createBoardCodes(token: string, now: () => number): BoardCodes {
  let codes: { digest: Buffer; until: number }[] = [];
  return {
    issue: () => {
      const code = randomBytes(CODE_BYTES).toString("base64url");
      codes = [...codes.slice(1 - MAX_CODES), { digest: digestOf(code), until: now() + LIFE_MS }];
      return code;
    },
    redeem: (code) => {
      const found = findCredential(codes, code);
      if (found === undefined) return "unknown";
      const isGood = now() < found.until;
      found.until = 0;
      return isGood ? { token } : "spent";
    },
  };
}

/** The page posts the code of its address, and gets the token. `onSpent` is called for a code that worked before. */
export function boardCodeRoute(codes: BoardCodes, onSpent: () => void): Route {
  return {
    methods: ["POST"],
    open: true,
    serve: async ({ failedLogin }, { request, response, address }) => {
      const found = codes.redeem((await readBody(request, MAX_BODY_BYTES)).toString());
      if (typeof found === "object") return sendJson(response, 200, { body: found });
      countFailedLogin(failedLogin, address);
      if (found === "spent") onSpent();
      throw refusal(401, "This code was used before, is too old, or never existed.");
    },
  };
}
