import { createHmac, hkdfSync, scryptSync, timingSafeEqual } from "node:crypto";
import type { Known, KnownTokens } from "../authenticate.ts";

/** What is handed out. Each kind has keys of its own, so that one never passes for another. */
export type Kind = "client" | "code" | "access" | "refresh";

/** Signs what is handed out, instead of remembering it: what a withdrawn token signed is worth nothing any more. */
export interface Seals {
  /** A client is registered before anybody typed a token: the newest token signs for it. */
  newest(): Known | undefined;
  seal(kind: Kind, token: Known, content: object): string;
  /** The content, and the token that signed it; undefined for everything that was not sealed here as this kind. */
  open<T>(kind: Kind, text: string): { content: T; token: Known } | undefined;
}

const KEY_BYTES = 32;

export function createSeals(known: KnownTokens): Seals {
  const roots = createRoots();
  const sign = (kind: Kind, token: Known, content: string) => {
    const key = hkdfSync("sha256", roots(token, known()), "", `vibe-mcp oauth ${kind}`, KEY_BYTES);
    return createHmac("sha256", Buffer.from(key)).update(content).digest();
  };
  return {
    newest: () => known().at(-1),
    seal: (kind, token, content) => {
      const text = Buffer.from(JSON.stringify(content)).toString("base64url");
      return `${text}.${sign(kind, token, text).toString("base64url")}`;
    },
    open: <T>(kind: Kind, text: string) => {
      const [, content = "", signature = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
      const given = Buffer.from(signature, "base64url");
      // A last letter has bits that decoding drops: one text alone is the signature.
      if (content === "" || given.toString("base64url") !== signature) return undefined;
      const token = known().find((one) => timingSafeEqual(sign(kind, one, content), given));
      if (token === undefined) return undefined;
      return { content: JSON.parse(Buffer.from(content, "base64url").toString()) as T, token };
    },
  };
}

/**
 * Anybody can register a client and then try tokens against its signature at home: the keys are stretched (scrypt), so
 * that this is slow even for a token that was made up. Once for each token, some 50 ms.
 */
function createRoots(): (token: Known, known: readonly Known[]) => Buffer {
  const roots = new Map<string, Buffer>();
  return ({ digest }, known) => {
    const name = digest.toString("hex");
    const root = roots.get(name) ?? scryptSync(digest, "vibe-mcp oauth", KEY_BYTES);
    roots.set(name, root);
    if (roots.size > known.length) forget(roots, known);
    return root;
  };
}

function forget(roots: Map<string, Buffer>, known: readonly Known[]): void {
  const names = new Set(known.map(({ digest }) => digest.toString("hex")));
  for (const name of roots.keys()) if (!names.has(name)) roots.delete(name);
}
