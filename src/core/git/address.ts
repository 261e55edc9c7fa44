import { MASK, maskSecrets } from "../lib/secrets.ts";
import { attempt } from "../storage/fs-errors.ts";

/** `https://user:password@host` and `user@host:path`, up to the host; and what follows a `?`. */
const USER = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#@:'"]*)(?::([^/?#'"\r\n]*))?@/gi;
const SHORT_USER = /(?<![^\s'"])([^\s/@:'"]+)(?=@[\w.-]+:(?!\/\/))/g;
const QUERY = /\b([a-z][a-z0-9+.-]*:\/\/[^\s?'"]*\?)[^\s'"]+/gi;

/** A text in which addresses of remotes show no password, and no key in the place of a user's name. */
export function maskAddresses(text: string): string {
  return text
    .replace(USER, (_, scheme: string, name: string, password = "") => {
      const shown = isKey(name) ? MASK : name;
      return `${scheme}${shown}${password === "" ? "" : `:${MASK}`}@`;
    })
    .replace(SHORT_USER, (name: string) => (isKey(name) ? MASK : name))
    .replace(QUERY, `$1${MASK}`);
}

/** Keys of services, by how they begin or, since people's names are short and have hardly a digit, by what they consist of. */
function isKey(name: string): boolean {
  const plain = attempt(() => decodeURIComponent(name)) ?? name;
  if (maskSecrets(plain) !== plain) return true;
  // AWS names users of a repository so.
  const isLong = /^(?=.*\d)(?=.*[a-z])[\w+/=~-]{20,}$/i.test(plain) && !/-at-\d{12}$/.test(plain);
  return isLong || /^(?:AT[A-Z]{2}|gl[a-z]{2,6}-|gh[a-z]_)[\w-]{10,}/.test(plain);
}
