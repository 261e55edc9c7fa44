import { MASK } from "./mask.ts";
import { isSecretName, type SecretName, secretNames } from "./names.ts";
import { isPlaceholder, isProse, looksSecret } from "./plain.ts";
import { after, endOf, readLine, readRun, readValue, type Value } from "./values.ts";

/** How a value follows its name. */
type Link =
  /** `password: x`, `"password" => "x"`, `password: str = "x"` */
  | "sign"
  /** `--password x`, `ENV PASSWORD x` */
  | "option"
  /** `("password", "x")`, `env.PASSWORD || "x"` */
  | "pair"
  /** `| password | x |` */
  | "cell"
  /** `the password is x` */
  | "spoken"
  /** `the password of the database is x` */
  | "far";

/** What may close a name: quotes, brackets, emphasis and tags. */
const CLOSE =
  /(?:["'`*_\])}”’»」』?]|\[\w{0,20}\]|\\{1,7}(?=["'`])|\\{1,4}u002[27]|&(?:quot|apos|#3[49]|#x2[27]);|%22|<\/[a-z]\w{0,9}>|[ \t\u00a0\u3000]){0,80}/
    .source;
/** The longest first. */
const SIGN =
  /(?:\r?\n[ \t]{0,8}[:=](?=[ \t])|<<-?["']?\w{1,20}["']?(?=\r?\n)|\r?\n(?:-{3,40}|={3,40})(?=\r?\n)|\|\|=|\?\?=|!==?|===?|::?=|::|\?=|\+=|=>|->|:[-+?](?=\S)|:|=|[→⇒：＝]|<-|%3[AD])/
    .source;
const SPACE = "(?:[^\\S\\n]|\\\\?\\r?\\n)";
const TYPE =
  /&?(?:'\w{1,10}\s)?(?:str|string|text|bytes?|char|any|object|buffer|secretstr|optional|option|varchar|var)\b/
    .source;

const LINKS: readonly [Link, RegExp][] = [
  [
    "sign",
    new RegExp(
      `\\??\\s{0,5}(?::|\\sas\\s|\\s)\\s{0,5}${TYPE}[\\w<>[\\]|?.,()'& *]{0,40}?:?=(?![=>])${SPACE}{0,200}`,
      "iy",
    ),
  ],
  [
    "sign",
    new RegExp(
      `${CLOSE}[\\s,;:{(]{0,20}(?:(?:type|description|sensitive|required|nullable)\\s{0,5}[:=][^\\n]{0,200}\\n\\s{1,20}){0,4}["'\\\\]{0,8}(?:value|default|content|val)["'\\\\]{0,8}\\s{0,5}[:=]>?\\s{0,5}`,
      "iy",
    ),
  ],
  [
    "sign",
    new RegExp(
      `${CLOSE}${SIGN}[*_]{0,3}${SPACE}{0,200}(?:- {1,5}|(?<=\\n)> {0,3}|[([]\\s{1,40}(?=["'\`]))?`,
      "iy",
    ),
  ],
  [
    "pair",
    new RegExp(
      `${CLOSE}(?:\\|\\||\\?\\?|or(?=\\s)|[,(]|\\.(?=\\s)|\\.(?:fill|type|send_?keys|set_?value)\\()\\s{0,20}(?=[a-z$@]{0,2}\\\\{0,7}["'\`“])`,
      "iy",
    ),
  ],
  [
    "cell",
    new RegExp(
      `${CLOSE}(?:\\||\\s{0,20}>?\\s{0,20}<(?:t[dh]|dd|string|value|data)(?:\\s[^<>]{0,80})?>)[ \\t]{0,80}`,
      "iy",
    ),
  ],
  ["spoken", /\s{0,3}[は为為是]\s{0,3}/y],
  [
    "spoken",
    /["'`*_)\]”’?]{0,4}(?:\s{1,3}[-–—]\s{1,3}|\s{1,20})(?:(?:is|was|are|es|ist|est|será|becomes|equals|to)\s{1,12}){0,2}(?:(?:now|still|just)\s{1,5})?/iy,
  ],
  [
    "far",
    /(?:\s{1,3}["'`]?[\p{L}'’.-]{1,20}["'`]?){1,6}?(?:\s{1,3}(?:is|was|to|es|ist|=)\s{1,3}|\s{0,2}[:=]\s{1,3})/iuy,
  ],
];
const OPTION = new RegExp(`${SPACE}{1,20}(?!-)`, "y");
/** What stands before a name that its value follows after a space. */
const SETS =
  /(?:\b(?:setenv|setx|env|arg|set -[a-z]{1,3}|config set(?:[ \t]{1,5}\S{1,80}:)?|configure set|secrets? (?:put|set))[ \t]{0,5}|\b(?:login|user|username|account)[ \t]{1,5}\S{1,80}[ \t]{1,5})$/i;

/** The text with the values of what is named masked. */
export function maskNamed(text: string): string {
  let masked = "";
  let done = 0;
  for (const name of secretNames(text)) {
    if (name.start < done) continue;
    for (const value of secretsAt(text, name)) {
      if (value.start < done) continue;
      masked += text.slice(done, value.start) + MASK;
      done = endOf(text, value);
    }
  }
  return masked + text.slice(done);
}

function secretsAt(text: string, name: SecretName): Pick<Value, "start" | "end">[] {
  for (const [link, at] of linksAt(text, name)) {
    const value = readValue(text, at);
    if (value === undefined) continue;
    const isBelow = text.slice(name.end, at).includes("\n");
    const secrets = secretsIn({ name, link, value, isBelow, text });
    if (secrets !== undefined) return secrets;
    if (link === "sign") break;
  }
  return name.certainty === "weak" ? [] : [...saidBefore(text, name), ...secretsBehind(text, name.end)];
}

/** What to mask of a value, and of those in a list with it; undefined if it is no secret. */
function secretsIn(found: Found): Value[] | undefined {
  const { name, link, value, isBelow, text } = found;
  const call = link === "sign" ? callIn(text, value) : undefined;
  if (call !== undefined) return call;
  if (value.text.includes(MASK)) return [];
  if (!isSecret(found)) return undefined;
  const masked = name.certainty === "phrase" ? wholePhrase(text, value) : value;
  return [masked, ...secretsBehind(text, masked.end, isBelow)];
}

/** `password (old): x`, `from x to y`: what looks like a secret behind a name, in its line or its list. */
function secretsBehind(text: string, from: number, isList = false): Value[] {
  const rest = text.slice(from, from + 100);
  const [line = ""] = (isList ? /^(?:.|\n(?=[ \t]*- ))*/ : /^.*?(?=[.!?]\s|$)/m).exec(rest) ?? [];
  return [...line.matchAll(/[^\s"'`,;:()[\]{}<>|=~\\“”「」]+/g)].flatMap(({ 0: run, index }) => {
    const bare = run.replace(/^[/*_&$#.-]+/, "");
    const start = from + index + run.length - bare.length;
    const isName = isProse(bare) || isPlaceholder(bare) || /^[a-z]{4,}\d{1,2}$/.test(bare);
    return looksSecret(bare, 8) && !isName ? (readRun(text, start) ?? []) : [];
  });
}

/** `x is the password`, `use x as the token` */
function saidBefore(text: string, { start, certainty }: SecretName): Pick<Value, "start" | "end">[] {
  const from = Math.max(0, start - 160);
  const found =
    /(?<=^|[\s"'`“(])([^\s"'`“”()]{5,80})["'`”)]{0,2}\s{1,3}(?:is|are|as|was|es|ist|为|是)\s{1,3}(?:\p{L}{1,12}\s{1,3}){0,3}$/u.exec(
      text.slice(from, start),
    );
  if (found === null || certainty === "weak" || !looksSecret(found[1] ?? "", 5)) return [];
  return [{ start: from + found.index, end: from + found.index + (found[1]?.length ?? 0) }];
}

function linksAt(text: string, { start, end, text: name }: SecretName): [Link, number][] {
  const before = text.slice(Math.max(0, start - 100), start);
  const isOption = /^-|(?<=\s)\//.test(name) || SETS.test(before);
  const found = LINKS.map(([link, pattern]): [Link, number] => [link, after(text, end, pattern)]);
  const option = isOption ? after(text, end, OPTION) : end;
  return [...found.slice(0, 3), ["option", option] as [Link, number], ...found.slice(3)].filter(
    ([, at]) => at > end,
  );
}

interface Found {
  name: SecretName;
  link: Link;
  value: Value;
  isBelow: boolean;
  text: string;
}

function isSecret(found: Found): boolean {
  const { link, name, value } = found;
  if (isPlaceholder(value.text) || isProse(value.text) || isWorkingFolder(found) || isOtherBelow(found))
    return false;
  const isLikely = looksSecret(value.text, link === "sign" || link === "option" ? 4 : 5);
  return name.certainty === "weak"
    ? isWeakSecret(found, isLikely)
    : isLikely || IS_GIVEN[link](found, between(found));
}

/** What a value is that does not look like a secret, by how it follows the name of one. */
const IS_GIVEN: Record<Link, (found: Found, between: string) => boolean> = {
  sign: () => true,
  option: () => true,
  pair: (found, between) =>
    /^[^,]*(?:\|\||\?\?|or|\()/.test(between) || /^(?:[A-Z_]+$|-)/.test(found.name.text) || isEntry(found),
  cell: () => false,
  spoken: (found, between) => /[は为為是]/.test(between) || isPassword(found),
  far: (found) => isPassword(found),
};

const TEXT = /\\{0,7}["'`“][^"'`”\\\n]{0,80}\\{0,7}["'`”]/.source;
const COMMA = "\\s{0,20},\\s{0,20}";
/** Before the name and behind the value: the brackets of a list, with other pairs. */
const ENTRY_START = new RegExp(
  `[[({]\\s{0,20}(?:${TEXT}${COMMA}${TEXT}${COMMA}){0,8}(?:\\\\{0,7}["'\`“]|:)[^"'\`“,()\\n]{0,20}$`,
);
const ENTRY_END = new RegExp(`^(?:${COMMA}${TEXT}${COMMA}${TEXT}){0,8}\\s{0,20},?\\s{0,20}[\\])}]`);
/** What else lists of fields name. */
const FIELD = new RegExp(
  `^(?:${[
    "e-?mails?|phone|login|ids?|salt|roles?|text|string|keywords?|comments?|public_?key",
    "(?:\\w{1,40}[_-])?(?:password|passwd|pwd|secret|token|otp|pin|key)s?",
  ].join("|")})$`,
  "i",
);
const FIELD_END = /(?:_(?:at|in|id|by|name)|[a-z](?:At|In|Id|By|Name|Password|Secret|Token|Key)s?)$/;

/** `["password", "x"]` and `put("password", "x")`: a name and its value, where `["password", "email"]` are two names. */
function isEntry({ name, value, text }: Found): boolean {
  const isWord = /\s/.test(value.text) || FIELD.test(value.text) || FIELD_END.test(value.text);
  const before = text.slice(Math.max(0, name.start - 400), name.start);
  return !isWord && ENTRY_START.test(before) && ENTRY_END.test(text.slice(value.end, value.end + 400));
}

/** `the password "x"` and `the password 4711`, but not `the token "x"`, which may be one of a language. */
function isPassword({ name, value }: Found): boolean {
  return (
    /pass|pwd|kenn|contra|string|by$/i.test(name.text) && (value.isQuoted || /^\d{4,}$/.test(value.text))
  );
}

function between({ name, value, text }: Found): string {
  return text.slice(name.end, value.start);
}

/** `tokens=4096` and `auth: oauth` are none; a number of some digits for a PIN is. */
function isWeakSecret({ name, link, value }: Found, isLikely: boolean): boolean {
  if (/(?:pin|otp)$/i.test(name.text)) return isLikely || /^\d{4,10}$/.test(value.text);
  if (link === "option" || name.text.startsWith("-")) return !/^\d+$/.test(value.text);
  if (/(?:pass|clave|jwt|sid)$/i.test(name.text) && isLikely) return true;
  const isGiven = value.isQuoted && /pass|pw/i.test(name.text);
  return (link === "sign" || link === "pair") && (isLikely || isGiven);
}

/** `PWD=/home/ana` */
function isWorkingFolder({ name, value }: Found): boolean {
  return /^\$?(?:OLD)?PWD$/.test(name.text) && /^(?:[/~.]|[A-Z]:)/i.test(value.text);
}

/** In the lines below a name, `user: x` is another name, and words are a sentence. */
function isOtherBelow({ isBelow, value, text }: Found): boolean {
  if (!isBelow || value.isQuoted) return false;
  const rest = text.slice(value.end, value.end + 80);
  return /^:(?:\s|$)/.test(rest) || (!looksSecret(value.text, 4) && /^[^\n]{0,3}[ \t]\S/.test(rest));
}

/** The quoted texts in the arguments of a call: `getenv("PASSWORD", "x")`; undefined if the value is no call. */
function callIn(text: string, { start, isQuoted }: Value): Value[] | undefined {
  if (isQuoted) return undefined;
  const [whole, head = "", rest = ""] =
    /^(?:new\s|await\s)?([\p{L}_$][\w.$:]{0,80}\()([^\n]{0,400})/u.exec(text.slice(start, start + 500)) ?? [];
  if (whole === undefined || !rest.includes(")")) return undefined;
  if (rest.startsWith(")") && !looksSecret(head, 4)) return [];
  const from = start + whole.length - rest.length;
  const values: Value[] = [];
  let at = from;
  for (const { index } of rest.matchAll(/["'`]/g)) {
    if (from + index < at) continue;
    const value = readValue(text, from + index);
    if (value === undefined) continue;
    values.push(value);
    at = value.end;
  }
  return values.length > 0 ? values.filter((value) => !isSecretName(value.text)) : undefined;
}

/** Words that belong together: to the end of the line or the sentence. */
function wholePhrase(text: string, value: Value): Value {
  if (value.isQuoted) return value;
  const line = readLine(text, value.start);
  const [sentence = ""] = /^.{1,400}?(?=[.;](?:\s|$)|["'`)]|$)/.exec(line.text) ?? [];
  const end = Math.max(value.end, value.start + sentence.length);
  return { ...line, end };
}
