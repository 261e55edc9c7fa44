import { MASK } from "./mask.ts";
import { isSecretName } from "./names.ts";
import { isPlaceholder, isProse, looksSecret } from "./plain.ts";

/** PEM, OpenSSH, PGP and SSH2, also with `\n` for line breaks; and PuTTY. */
const PRIVATE_KEY =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}|$)|(?<=Private-Lines: ?\d{1,4}\s)[\s\S]*?(?=Private-MAC|$)/g;

/** Also as JSON may write it. */
const SLASHES = "(?:\\\\{0,3}\\/){2}";
/** `postgres://ana:secret@db/x`: up to the last `@` before a space. */
const ADDRESS = new RegExp(
  `((?:\\b[a-z][a-z0-9+.-]{1,20}:${SLASHES}[^\\s:/"'<>]{0,100}|(?<![\\w:/])\\/\\/[\\w.%+-]{1,100})):(?!\\d{1,5}(?:[/?#\\s]|$))[^\\s"<>\`]{1,400}@`,
  "gi",
);
/** `https://key@host` */
const KEY_ALONE = new RegExp(
  `(\\bhttps?(?::${SLASHES}|%3A%2F%2F))([^\\s/?#@:"'<>\`\\\\&]{4,300}?)(?=:?(?:x-oauth-basic)?(?:@|%40)(?=[\\w[]))`,
  "gi",
);
/** `https://key:•••@host`, and `ssh://key@host`: a key has digits, a name may have none. */
const KEY_BESIDE =
  /(\bhttps?:\/\/(?=[\w.~-]{8})|\b[a-z][a-z0-9+.-]{1,20}:\/\/(?=[\w.~-]{16}))(?=[\w.~-]{0,80}\d)[\w.~-]{1,300}(?=@|:•••@)/gi;
/** `ana:secret@db.example.com` */
const LOGIN =
  /(?<![\w./-])(?!mailto|acct|xmpp|sip|tel)([\w.+-]{1,60}:)(?=[^\s:@/"'<>]{0,80}[\d!$%&*#])[^\s:@/"'<>]{3,100}(?=@(?:localhost|[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){0,5}\.[a-z]{2,20})\b)/gi;
/** `?token=x`, `&sig=x`, `#access_token=x` */
const PARAMETER =
  /([?&#;](?:amp;)?(?:[\w.-]{0,40}(?:token|secret|password|passwd|passphrase|pwd|pw|pass|hmac|key|signature|sig|credentials?|auth|jwt|ticket|otp|sas|session|sid)|code|state|appid(?!=\d+(?![\w-])))=)(?!\d{1,5}(?:\D|$))[^&#\s"'<>`)\]]{1,4000}/gi;

const SCHEMES = "bearer|basic|token|digest|negotiate|ntlm|oauth|hawk|apikey|aws4-hmac-sha256|signature";
const HEADER = new RegExp(
  `((?:proxy-)?authorization["'\`\\\\]{0,5}\\s{0,3}[:=]\\s{0,3}["'\`\\\\]{0,5}(?:${SCHEMES})(?:\\\\?\\s){1,6})(\\$\\([^\\n)]{1,400}\\)|(?=[\\w-]{1,40}=(?:"|[^=\\s"'\`\\\\]))[^\\n'\`\\\\]{1,2000}|[^\\s"'\`\\\\,;]{1,4000})`,
  "gi",
);
const BASIC = /(\bBasic\s{1,3})(?=[A-Za-z0-9+/]{0,400}[\d=+/])[A-Za-z0-9+/]{8,400}={0,2}(?![\w-])/g;
const COOKIE = /(\bcookies?["'`\\]{0,5}\s{0,3}[:=]\s{0,3}["'`\\]{0,5})(?=[\w.-]{1,80}=)[^\n"'`\\]{1,4000}/gi;

/** `<password>x</password>`, `<entry key="password">x</entry>` */
const ELEMENT =
  /(<(?:[\w-]{1,20}:)?([\w.-]{1,60})((?:\s[^<>]{0,200})?)>(?:<!\[CDATA\[)?)([^<\]]{1,1000})(?=<\/|\]\]>)/g;

/** `<input value="x" type="password">` */
const INPUT =
  /(<[^<>]{0,200}\bvalue=["'])[^"'<>]{1,400}(?=["'][^<>]{0,200}\b(?:name|type|id|key)=["'][^"'<>]{0,40}(?:password|passwd|secret|token))/gi;

/** `{"value": "x", "name": "PASSWORD"}`, and the same in YAML */
const VALUE_FIRST =
  /(\bvalue["']?\s{0,3}[:=]\s{0,3}["']?)([^"'\n,]{1,400})(?=["']?[,\s]\s{0,40}["']?(?:name|key|type|id)["']?\s{0,3}[:=]\s{0,3}["']?([\w.-]{1,80}))/gi;

const VALUE = /"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"'|;&]{1,400}/.source;
/** Between an option and its value, on a line or in a list of words. */
const GAP = "(?:[ =]|[\"'],\\s{0,3}(?=[\"']))";
const command = (names: string, option: string) =>
  new RegExp(
    `(\\b(?:${names})\\b(?:(?:[^\\n|;]|(?<=\\\\\\r?)\\n){0,300}?[\\s"'])?${option})(?!-|["'],)(?:${VALUE})`,
    "gi",
  );
/** Options that have no name. */
const COMMANDS: readonly RegExp[] = [
  /([\s"'](?:-u|-U|--(?:proxy-)?user|--auth)(?:[ ="',]|\\?\r?\n){0,9}[^\s:"'=]{1,80}[:%](?:\\\r?\n)?)(?!\d+(?:\s|$)|\$\{?\w{1,80}\}?(?:[\s"']|$))(?:(?<=["'][^\s"']{1,100})[^\n"']{1,300}|[^\s"']{1,300})/g,
  command("mysql\\w{0,10}|mariadb[\\w-]{0,10}|mycli|7z[ar]?|rar|unrar", "(?<=[\\s\"'])-h?p"),
  command(
    "sshpass|twine|useradd|usermod|psexec|cqlsh|mongo\\w{0,10}|kinit|(?:docker|podman|skopeo|buildah|nerdctl|az|oc|cf|registry)[\\s\"',]{1,5}login",
    `-p${GAP}?`,
  ),
  command("zip|unzip|sqlcmd|bcp|ipmitool|mosquitto_\\w{2,4}", `(?<=\\s)-P${GAP}?`),
  command("ssh-keygen", "-[NP] "),
  command("openssl", "-k "),
  command("nuget push", "-k "),
  /((?<=\bsnmp\w{2,10}\b[^\n|;]{0,300})\s-[AX]\s{1,3})[^\s-]\S{0,300}/g,
  command("l?ftp|ncftp\\w{0,4}", "-u[ =]?[^\\s,]{1,80},"),
  /(\b(?:(?:vault|cargo|pulumi|railway|huggingface-cli) login|auth token|masterauth|requirepass)\s{1,3})(?=\S{0,200}\d)[^\s-]\S{0,400}/g,
  /(\b(?:kinit|cryptsetup|smbpasswd|passwd|chpasswd|read\s[^\n|<]{0,60}(?:pass|pw|secret|token|key)\w{0,20})\b[^\n|<]{0,80}<<<\s{0,3})(?:"[^"]{1,400}"|'[^']{1,400}'|\S{1,400})/gi,
  command("nmcli", "password "),
  command("wpa_passphrase", "\\S{1,80} "),
  command("config\\s[^\\n|;]{0,40}http-basic\\S{0,80}", "\\S{1,80} "),
  /(\b_auth\s?=\s?)[^\s"']{1,400}/g,
  /(\bassword:?"?[^\n]{0,40}\bsend(?:\s--)?\s")[^"\n]{1,200}/g,
  /(?<![\w./-])([\w.+-]{1,60}:)[^\s:@/"'<>]{1,100}(?=@(?:tcp|unix)\()/g,
  /(%3A%2F%2F[\w.-]{0,60}%3A)(?:[^\s%&]|%(?!40)[\da-f]{2}){1,300}(?=%40)/gi,
  /(\bmachine\s{1,5}\S{1,200}\s{1,9}login\s{1,5}\S{1,200}\s{1,9}password\s{1,5})\S{1,400}/g,
  /(\bConvertTo-SecureString\s{1,5}(?:-String\s{1,5})?["'])[^"'\n]{1,400}/gi,
  /(::add-mask::)[^\n]{1,4000}/g,
  /(\bWIFI:(?:[^\n;]{0,100};){0,4}?P:)[^\n;]{1,100}/g,
  /(sonar\.login=)[^\s"']{1,400}/g,
  /((?:\bauth\s?=\s?|BasicAuth|PSCredential|\.login)\(\s{0,3}["'][^"'\n]{1,80}["'],\s{0,3}["'])[^"'\n]{1,400}/gi,
  /(\blog(?:ged)?[ -]?in\s(?:as|with)\s[^\s/]{1,80}\s?\/\s?)(?=\S{0,80}\d)[^\s"'`,;]{4,400}/gi,
  command("curl", `(?:-b|--cookie)${GAP}`),
  command("https?|xh", "-a[ =]?[^\\s:]{1,80}:"),
  command("net use", "\\\\\\\\\\S{1,100} "),
  /(--from-literal[= ][\w.-]{1,80}=)(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"']{1,400})/g,
  command("ldap\\w{1,10}", `-w${GAP}?`),
  command("redis-cli", `-a${GAP}?`),
  command("plink|pscp|psftp", "-pw "),
  command("[xw]l?freerdp\\w{0,3}|cmdkey|net use|runas", "/p(?:ass|assword)?:"),
  /(\s\/u(?:ser)?:\S{1,80}(?:\s\/[^\n/]{1,80}){0,5}?\s\/p:)[^\s"']{1,400}/gi,
  command("htpasswd\\s[^\\n|;]{0,20}-\\w{0,3}b\\w{0,3}", "[^\\s-]\\S{0,100}\\s{1,3}\\S{1,80}\\s{1,3}"),
  command("net user", "\\S{1,80}\\s{1,3}"),
  command("secrets? (?:set|put|create|add)", `(?:-b|--body|--value|-v)${GAP}`),
  command("(?:secrets?|config):?\\s?(?:set|put)", "[\\w.]{1,80}="),
  /(\b(?:echo|printf)\s{1,3}(?:-\w{1,3}\s{1,3})?)(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"'|;&]{1,400})(?=\s{0,3}\|[^\n|]{0,200}(?:-stdin|with-token|sudo\s{1,3}-\w{0,3}S|passwd|secret))/g,
  /((?:-stdin|with-token|sudo\s{1,3}-\w{0,3}S|passwd|secret\s\w{1,10})[^\n|<]{0,80}<<<\s{0,3})(?:"[^"\n]{1,400}"|'[^'\n]{1,400}'|\S{1,400})/g,
  /(\b(?:sqlplus|expdp|impdp|sqlldr)\s{1,3}(?:-\w{1,3}\s)?["']?[\w$]{1,60}\/|:thin:[\w$]{1,60}\/)[^\s@"']{1,100}/gi,
  /^([^\s:#]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,100}:[^\s:]{1,100}:)[^\s]{1,300}$/gm,
];

/** No word and no hash of a commit has all three kinds of characters in a row so long. */
const RUN = "[A-Za-z0-9+_=-]";
const RANDOM = new RegExp(
  `(?<!${RUN})${["[a-z]", "[A-Z]", "\\d"].map((one) => `(?=${RUN}{0,200}${one})`).join("")}${RUN}{32,}`,
  "g",
);

/** Keys, and what an address, a header or a command says by its place. */
export function maskPlaces(text: string): string {
  const masked = text
    .replace(PRIVATE_KEY, MASK)
    .replace(KEY_ALONE, (whole: string, scheme: string, key: string) =>
      isProse(key) || isPlaceholder(key) ? whole : scheme + MASK,
    )
    .replace(ADDRESS, `$1:${MASK}@`)
    .replace(KEY_BESIDE, `$1${MASK}`)
    .replace(HEADER, `$1${MASK}`)
    .replace(COOKIE, `$1${MASK}`)
    .replace(BASIC, `$1${MASK}`)
    .replace(LOGIN, `$1${MASK}`)
    .replace(INPUT, `$1${MASK}`)
    .replace(VALUE_FIRST, (whole: string, opening: string, _: string, name: string) =>
      isSecretName(name) ? `${opening}${MASK}` : whole,
    )
    .replace(PARAMETER, `$1${MASK}`)
    .replace(ELEMENT, (whole: string, opening: string, name: string, attributes: string, value: string) =>
      (isSecretName(name) || namesSecret(attributes)) && !isProse(value.trim()) ? `${opening}${MASK}` : whole,
    );
  return COMMANDS.reduce((rest, pattern) => rest.replace(pattern, `$1${MASK}`), masked);
}

export function maskRandom(text: string): string {
  return text.replace(RANDOM, MASK);
}

/** `name="password"` */
function namesSecret(attributes: string): boolean {
  return [...attributes.matchAll(/["']([^"']{1,80})["']/g)].some(([, value = ""]) => isSecretName(value));
}

const RULER = /^[\s|:-]+$/;

/** The cells of a table or of CSV below the head that names a secret. */
export function maskColumns(text: string): string {
  let columns: { by: string; count: number; secret: number[] } | undefined;
  const lines = text.split("\n").map((line) => {
    const cells = columns === undefined ? [] : line.split(columns.by);
    if (columns === undefined || line.trim() === "" || cells.length < columns.count - 1) {
      columns = columnsOf(line);
      return line;
    }
    const { by, secret } = columns;
    return RULER.test(line)
      ? line
      : cells.map((cell, at) => (secret.includes(at) ? maskCell(cell) : cell)).join(by);
  });
  return lines.join("\n");
}

function columnsOf(line: string) {
  if (line.length > 500) return undefined;
  for (const by of ["|", "\t", ";", ","]) {
    const cells = line.split(by).map((cell) => cell.replace(/[\s"'`*]/g, " ").trim());
    const isHead = cells.every((cell) => /^[\p{L}\p{N} _.()-]{0,40}$/u.test(cell) && !looksSecret(cell, 4));
    const secret = cells.flatMap((cell, at) => (isSecretName(cell) ? [at] : []));
    if (cells.length > 1 && isHead && secret.length > 0 && secret.length < cells.filter(Boolean).length + 1)
      return { by, count: cells.length, secret };
  }
  return undefined;
}

function maskCell(cell: string): string {
  const bare = cell.trim().replace(/^["'`]|["'`]$/g, "");
  const isSecret = bare !== "" && !bare.includes(MASK) && !/\s\S+\s/.test(bare);
  return isSecret ? cell.replace(cell.trim(), MASK) : cell;
}
