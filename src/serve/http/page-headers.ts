import { createHash } from "node:crypto";

/** The headers of a web page that no frame shows and that loads only what `policy` allows. */
export function pageHeaders(policy: readonly string[]) {
  const directives = ["default-src 'none'", ...policy, "frame-ancestors 'none'", "base-uri 'none'"];
  return {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": directives.join("; "),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
  };
}

/** What a policy calls an inline style or script. */
export function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
