import { once } from "./collections.ts";
import { SERVICE_KEY } from "./service-keys.ts";
import { endOfLine } from "./text.ts";

/** What stands in the place of a secret. */
export const MASK = "•••";

/** What a secret is called, alone or at the end of another name: whatever is given to it is masked. */
const STRONG = [
  "pass[ _-]?(?:word|phrase|code)|pass?wd|pwd?|psk|(?:_|--)pass|secret|token|bearer|authorization|creds|credentials?",
  "(?:api|access|secret|private|account|encryption|signing|master|shared|license|ssh)[ _-]?key(?:_base)?",
  "contraseña|credenciales|secreto|clave (?:secreta|privada|de acceso|(?:de (?:la )?)?api)|(?<![a-z])pin",
  "mot de passe|passwort|kennwort|senha|пароль|密码|密钥|비밀번호",
  "パスワード|暗証番号|トークン|(?:API|アクセス|シークレット)\\s?キー|シークレット|秘密鍵",
].join("|");
/** Words for harmless things, too: only what mixes letters and digits is masked behind them. */
const WEAK = `(?:${STRONG})s|(?<!\\d)pass|(?<![a-z])(?:otp|auth|keys?|clave|cookie|sig|signature)`;
const NAME = `(?:(${STRONG})|${WEAK})\\d{0,2}(?![-./]?[a-zà-ÿа-я\\d]|_\\w)`;
/** Their values may be several words. */
const SEVERAL = /phrase$|^cred/i;

/** Words that follow a name and are no secret. */
const WORDS = new Set([
  ...["a", "an", "the", "this", "that", "it", "our", "your", "my", "one", "el", "la", "no", "ver", "include"],
  ...["is", "are", "was", "be", "has", "must", "should", "can", "will", "see", "ask", "use", "read", "set"],
  ...["in", "on", "at", "from", "to", "for", "of", "by", "with", "without", "and", "or", "not", "now"],
  ...["none", "null", "undefined", "true", "false", "empty", "missing", "invalid", "expired", "required"],
  ...["string", "str", "text", "number", "boolean", "bytes", "any", "await", "same-origin"],
]);
/** `${PASSWORD}`, `getPassword()`, `options.password`, `your-token`, `/run/secrets/db`, and short numbers. */
const PLACEHOLDER =
  "^(?:\\$[A-Z_({].*|[\\w$.]+\\(.*|(?:process|req|secrets|vars?|this)\\..*|(?:~|\\.\\.?)?(?:/[a-z0-9_.-]+){2,}" +
  `|(?:\\D*[^\\p{L}\\d])?(?:${STRONG}|${WEAK})|\\d{1,3}|[^\\p{L}\\p{N}]*)$`;
/** Dates, versions, tasks, addresses, sizes and files. */
const PLAIN = [
  /^(?:\d{4}-\d\d-\d\d.*|v?\d+(?:\.\d+)+|#\d+|\d{3}-[a-z][a-z-]*|\w+:\/\/.*|[\w.+-]+@[\w.-]+)$/i,
  /^[\d.,:/+-]*\d(?:[kmg]i?b?|m?s|min|[hdx%]|px|bits?|bytes?|[ap]m|\/\w+)$/i,
  /^[\w./~-]*\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|txt|py|go|rs|sh|html|css|pem|env)$/i,
];
/** `PROJ-123`, `node22`, `1Password`; and what is no secret far behind a name: the short, and commits. */
const COMMON = /^(?:\d?[a-z]{2,}-?\d{0,4}|\d{1,4})$/i;
const COMMON_FAR = /^(?:.{1,7}|[\da-f]{7,40})$/;
const MIXED = /^(?=.{4})(?:(?=.*\d)(?=.*[^\d.,:])|.*\p{L}[!@#$%^&*~]+\p{L}|\d{6,}$)/su;

/** What stands between a name and its value: `"]`, `: str`, `", "value"`, then a sign; or what follows an option. */
const CLOSE = /(?:[^\S\n]|["'`*_)\]}\\」』?]|&quot;|<\/\w{1,9}>|\[\w{0,20}\]){0,40}/.source;
const TYPE = /(?::\s?[\w<>[\]|?&]{1,20}\s?(?==)|[\s,"'\\]{1,20}(?:value|default)["'\\]{0,4}\s?)?/.source;
const SIGN = /(?:[:=!?|+]{0,2}[:=][>+?-]?|->|[：＝→])[\s*_([{<;,|>-]{0,80}/.source;
const SCHEME = /(?:(?:bearer|basic|digest|token)\s+)?/.source;
const OPTION = /(?<=(?:^|[\s"'`[(,])--?[\w-]{1,60})(?:["'],\s{0,5}|\\?\s{1,5})(?!-)/.source;
/** A value in quotes, also in those of JSON within JSON; else it ends at a space. */
const QUOTED = /[a-z@$]{0,2}(?<quote>\\{0,3}["'`])(?:(?!\k<quote>)(?:\\.|[^\\\n])){1,4000}(?:\k<quote>|$)/
  .source;
const BARE = /[“„«‘「『][^”“»’」』\n]{1,400}|["'`]{0,3}[^\s"'`<>”»」』]{1,4000}/.source;
const GIVEN = `(?:${NAME})(?=(${CLOSE}${TYPE}${SIGN}${SCHEME}|${OPTION})(${QUOTED}|${BARE}))`;
const QUOTES = /^[a-z@$]{0,2}[\\"'`]+|^[“„«‘「『]|[\\"'`”“»’」』]+$/gi;
const TRAIL = /[.,;:)\]}>*|。、]+$/;

const SENTENCE = /[^\n]+?(?:[.!?。](?=\s)|$)/gm;
const RUN = /[^\s"'`<>()[\]{}|,;=“”「」•\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{1,4000}/gu;
/** What a sentence says directly before a secret. */
const IS = "(?<!\\p{L})(?:is|are|was|to|es|ist|est)|'s|[は是:=：＝]";
const NEAR = `(?:${STRONG}|${WEAK}|${IS})[^\\p{L}\\p{N}•]{0,12}$`;

const IN_ELEMENT = `(?<=<[\\w:.-]{0,60}(?:${STRONG})(?:\\s[^<>]{0,200})?>)[^<>]{1,400}(?=</)`;

/** What is a secret by its place or its look. */
const PLACES = [
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-{4,5}[\s\S]*?(?:-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}|$)/g,
  SERVICE_KEY,
  /(?<=:\/\/[^\s:/@]{0,80}:)(?!\d{1,5}(?:[/?#]|$))[^\s"'<>`]{1,400}(?=@)/g,
  /(?<=https?:\/\/)(?=[^\s/@:]*\d)[^\s/@:?#]{8,200}(?=@)/g,
  /(?<=\s(?:-u|--user)[ =]["']?[^\s:"']{1,80}:)(?!\d+\b|\$)[^\s"']{1,200}/g,
  /(?<=\b(?:mysql\w*|mariadb)\s[^\n|;]{0,200}-p|\b(?:sshpass|login)\s[^\n|;]{0,200}-p )(?![\s-])[^\s"'`;]{1,200}/g,
  // No word and no commit mixes small letters, capitals and digits for so long; keys of AWS have slashes, too.
  /(?<![\w+/=.-])(?=[\w+/=-]{0,99}[a-z])(?=[\w+/=-]{0,99}[A-Z])(?=[\w+/=-]{0,99}\d)(?:[\w+=-]{32,}|[A-Za-z0-9+/]{40})(?![\w+/=-])/g,
];

/** Made at their first use: a server that starts has nothing to mask. */
const patterns = once(() => ({
  name: new RegExp(NAME, "giu"),
  placeholder: new RegExp(PLACEHOLDER, "iu"),
  given: new RegExp(GIVEN, "gimu"),
  near: new RegExp(NEAR, "iu"),
  places: [...PLACES, new RegExp(IN_ELEMENT, "giu")],
}));

/** The text with `•••` in the place of whatever looks like a key, a token or a password. */
export function maskSecrets(text: string): string {
  const masked = patterns().places.reduce((rest, place) => rest.replace(place, MASK), text);
  return maskGiven(masked).replace(SENTENCE, maskSaid);
}

/** Masks what is given to a name by a sign or as an option. */
function maskGiven(text: string): string {
  let [masked, done] = ["", 0];
  for (const { 0: name, 1: strong, 2: link = "", 3: value = "", index } of text.matchAll(patterns().given)) {
    const start = index + name.length + link.length;
    const isAny = strong !== undefined && !link.includes("\n");
    const shown = value.replace(TRAIL, "");
    const bare = shown.replace(QUOTES, "");
    if (start < done || !isSecret(bare, isAny) || (strong === undefined && COMMON.test(bare))) continue;
    masked += text.slice(done, start) + MASK;
    done = isAny && SEVERAL.test(name) ? endOfLine(text, start) : start + shown.length;
  }
  return masked + text.slice(done);
}

/** Masks what mixes letters and digits behind the name of a secret. */
function maskSaid(sentence: string): string {
  const names = [...sentence.matchAll(patterns().name)];
  const strong = names.find(([, one]) => one !== undefined)?.index ?? sentence.length;
  const from = names[0] === undefined ? sentence.length : names[0].index + names[0][0].length;
  const said = sentence.slice(from).replace(RUN, (run, at: number) => {
    const value = run.replace(TRAIL, "");
    const isNear = patterns().near.test(sentence.slice(Math.max(0, from + at - 40), from + at));
    const isCommon = COMMON.test(value) || (!isNear && COMMON_FAR.test(value));
    const isSaid = from + at > strong ? isNear || !isCommon : isNear && !isCommon;
    return isSaid && isSecret(value) ? MASK + run.slice(value.length) : run;
  });
  return sentence.slice(0, from) + said;
}

function isSecret(value: string, isAny = false): boolean {
  if (value.includes(MASK) || WORDS.has(value.toLowerCase()) || patterns().placeholder.test(value))
    return false;
  return isAny || (MIXED.test(value) && !PLAIN.some((plain) => plain.test(value)));
}
