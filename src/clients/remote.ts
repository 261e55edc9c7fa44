import { UsageError } from "../config.ts";
import { isLoopback } from "../http-config.ts";
import type { Remote } from "./entry.ts";

const TOKEN = "VIBE_AUTH_TOKEN";

/** What was given for a server over HTTP; `token` names a variable, or is `none`. Throws UsageError. */
export function remoteOf(text: string, token: string | undefined): Remote {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--url takes an address such as https://notes.example.com/mcp, not ${JSON.stringify(text)}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new UsageError(
      "--url takes no password: put the token into a variable, and name it with --token-env",
    );
  const isOwn = isLoopback(url.hostname);
  const variable = tokenVariable(token) ?? (token === undefined && !isOwn ? TOKEN : undefined);
  if (url.protocol === "http:" && !isOwn && variable !== undefined)
    throw new UsageError(
      `anybody on the way could read the token sent to ${url.origin}: serve it over https`,
    );
  if (url.pathname === "/") url.pathname = "/mcp";
  return { url: url.href, token: variable };
}

function tokenVariable(token: string | undefined): string | undefined {
  if (token === undefined || token === "none") return undefined;
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(token)) return token;
  throw new UsageError(
    `--token-env takes the name of a variable, such as ${TOKEN}, never the token itself; or none`,
  );
}
