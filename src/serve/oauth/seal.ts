import { createHmac, hkdfSync, scryptSync, timingSafeEqual } from "node:crypto";
import type { Credential, Credentials } from "../http/authenticate.ts";

/** Each kind has its own keys, so that a code is never accepted as a token. */
type Kind = "client" | "code" | "access" | "refresh";

const KEY_BYTES = 32;

export type Seals = ReturnType<typeof createSeals>;

/** Signs issued values instead of storing them: revoking a token invalidates everything signed with it. */
export function createSeals(credentials: Credentials) {
  const roots = createRoots();
  const sign = (kind: Kind, credential: Credential, content: string) => {
    const key = hkdfSync("sha256", roots(credential, credentials()), "", `vibe-mcp oauth ${kind}`, KEY_BYTES);
    return createHmac("sha256", Buffer.from(key)).update(content).digest();
  };
  return {
    /** Signs registrations: they need no login. */
    newest: () => credentials().at(-1),
    seal: (kind: Kind, credential: Credential, content: object): string => {
      const text = Buffer.from(JSON.stringify(content)).toString("base64url");
      return `${text}.${sign(kind, credential, text).toString("base64url")}`;
    },
    /** The content and the token that signed it; undefined for anything not sealed here as this kind. */
    open: <T>(kind: Kind, text: string) => {
      const [, content = "", signature = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
      const sent = Buffer.from(signature, "base64url");
      // Decoding drops bits of the last character: only one text is valid.
      if (content === "" || sent.toString("base64url") !== signature) return undefined;
      const credential = credentials().find((one) => timingSafeEqual(sign(kind, one, content), sent));
      if (credential === undefined) return undefined;
      return { content: JSON.parse(Buffer.from(content, "base64url").toString()) as T, credential };
    },
  };
}

/**
 * The key of each token. Stretching (scrypt, about 50 ms, once for each token) makes it slow to guess a weak token offline
 * from the signature of a registration.
 */
function createRoots(): (credential: Credential, all: readonly Credential[]) => Buffer {
  const roots = new Map<string, Buffer>();
  return ({ digest }, all) => {
    const name = digest.toString("hex");
    const root = roots.get(name) ?? scryptSync(digest, "vibe-mcp oauth", KEY_BYTES);
    roots.set(name, root);
    if (roots.size > all.length) {
      const names = all.map((one) => one.digest.toString("hex"));
      for (const old of roots.keys()) if (!names.includes(old)) roots.delete(old);
    }
    return root;
  };
}
