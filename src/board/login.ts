import { SIGNED } from "../core/lib/page.ts";
import { ConnectionError, send } from "./mcp-client.ts";
import { takeSecret } from "./route.ts";
import { tabStorage } from "./storage.ts";

/**
 * Another program can take the port while the server is away. So the server proves first that it knows the token, and gets a pass that
 * opens this run of it alone. The tab keeps the pass, since a page of that program could read what it keeps.
 */
const KEPT = "vibe-mcp-token";

interface Login {
  /** As it was given to this page. */
  token: string | undefined;
  key?: string;
}

let login: Login = { token: takeSecret("token") || undefined };
let proven: Promise<string | undefined> | undefined;

export function changeToken(text: string): void {
  login = { token: text.trim() || undefined };
  forgetPass();
}

export function hasLogin(): boolean {
  return (login.token ?? kept()) !== undefined;
}

/** Before the server proves itself again, nothing is sent to it. */
export function forgetPass(): void {
  proven = undefined;
}

/** What opens this run of the server; undefined without a token. Throws LoginError, and ConnectionError if another program answers. */
export function pass(): Promise<string | undefined> {
  if (proven !== undefined) return proven;
  const asked = prove(login);
  proven = asked;
  asked.catch(() => {
    if (proven === asked) forgetPass();
  });
  return asked;
}

async function prove(own: Login): Promise<string | undefined> {
  if (!hasLogin()) return undefined;
  // Browsers sign only for pages of this machine and over HTTPS. On other ways, anyone can read along anyway.
  const found = crypto.subtle === undefined ? (own.token ?? kept()) : await logIn(own);
  if (found !== undefined) tabStorage.setItem(KEPT, found);
  return found;
}

async function logIn(own: Login): Promise<string> {
  own.key ??= await keyOf(own);
  const { key } = own;
  const nonce = encode(crypto.getRandomValues(new Uint8Array(16)));
  const { run = "", signed } = await ask("login", `${nonce} ${await sign(key, SIGNED.page(nonce))}`);
  if (signed !== (await sign(key, SIGNED.server(nonce, run)))) throw new ConnectionError();
  return sign(key, SIGNED.pass(run));
}

async function keyOf({ token }: Login): Promise<string> {
  if (token !== undefined) return sign(token, SIGNED.key);
  const { key } = await ask("key", "", kept());
  if (key === undefined) throw new ConnectionError();
  return key;
}

const ASK = "Which pass?";
/** Other tabs of this page hear it, unless the browser is too old; nothing of it is on a disk. */
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel(KEPT) : undefined;
/** An open tab answers at once. */
const ANSWER_MS = 500;

/** Lets a new tab in: it gets the pass of this run of the server, as long as the server is known to be the same. */
export function answerTabs(isLive: () => boolean): void {
  tabs?.addEventListener("message", ({ data }) => {
    const own = kept();
    if (data === ASK && own !== undefined && isLive() && crypto.subtle !== undefined) tabs.postMessage(own);
  });
}

/** True if another tab of this page gave its pass. */
export async function askTabs(): Promise<boolean> {
  if (tabs === undefined) return false;
  return new Promise((done) => {
    const end = (isIn: boolean) => {
      clearTimeout(timer);
      tabs.removeEventListener("message", hear);
      done(isIn);
    };
    const hear = ({ data }: MessageEvent) => {
      if (data === ASK) return;
      tabStorage.setItem(KEPT, String(data));
      end(true);
    };
    const timer = setTimeout(() => end(false), ANSWER_MS);
    tabs.addEventListener("message", hear);
    tabs.postMessage(ASK);
  });
}

function kept(): string | undefined {
  return tabStorage.getItem(KEPT) ?? undefined;
}

async function ask(route: string, body: string, bearer?: string): Promise<Record<string, string>> {
  const response = await send(new URL(route, location.href).href, bearer, { body });
  if (!response.ok) throw new ConnectionError();
  return response.json().catch(() => ({}));
}

async function sign(key: string, text: string): Promise<string> {
  const [secret, signed] = [key, text].map((one) => new TextEncoder().encode(one));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", secret as BufferSource, hmac, false, ["sign"]);
  return encode(new Uint8Array(await crypto.subtle.sign("HMAC", imported, signed as BufferSource)));
}

/** As base64url. */
function encode(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
