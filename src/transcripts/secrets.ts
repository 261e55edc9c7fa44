/** What stands in the place of a secret. */
export const MASK = "•••";

/** What comes before a value that is secret, such as `DB_PASSWORD=`, `"token": "`, `--api-key ` and `password is `. */
const NAME =
  /(?:pass(?:word|wd|phrase|code)|passwort|contraseña|clave secreta|パスワード|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|signing[-_ ]?key|credentials?|bearer|authorization)/
    .source;
/** `:` or `=` after such a name is followed by its value, a space or "is" perhaps by a word about it. */
const SIGN = /\s{0,3}(?:[:=：]|=>|:=)\s{0,3}/.source;
const SPACE = /\s{0,3}は\s{0,3}|\s{1,3}(?:(?:is|was|es|ist|est)\s{1,3})?/.source;

/** Keys of services, by how they begin. */
const KEYS = [
  /\bsk-[A-Za-z0-9_-]{8,}/, // Anthropic, OpenAI, OpenRouter
  /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{8,}/, // Stripe
  /\bwhsec_[A-Za-z0-9]{16,}/,
  /\bgh[oprsu]_[A-Za-z0-9]{16,}/, // GitHub
  /\bgithub_pat_[A-Za-z0-9_]{16,}/,
  /\bgl(?:pat|dt|rt|ptt|soat)-[A-Za-z0-9_-]{16,}/, // GitLab
  /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/, // AWS
  /\bAIza[A-Za-z0-9_-]{20,}/, // Google
  /\bya29\.[A-Za-z0-9_-]{16,}/,
  /\bGOCSPX-[A-Za-z0-9_-]{16,}/,
  /\bxox[a-z]-[A-Za-z0-9-]{8,}/, // Slack
  /\bxapp-[A-Za-z0-9-]{8,}/,
  /(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/]{8,}/,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)[A-Za-z0-9/_-]{8,}/,
  /\b(?:npm|hf|dp\.pt|dop_v1|shpat|pypi|lin_api|tskey|figd|rnd|vercel|sbp|nvapi|xai|gsk|r8|pplx|ntn)[_-][A-Za-z0-9_-]{16,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/, // SendGrid
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/, // JSON Web Tokens
  /\bAGE-SECRET-KEY-[A-Z0-9]{16,}/,
];
const KEY = new RegExp(KEYS.map(({ source }) => source).join("|"), "g");
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----[\s\S]*?(?:-----END [A-Z ]{0,60}-----|$)/g;
/** `postgres://ana:secret@db/x` */
const ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/]{0,100}):[^\s@/]{1,300}@/gi;
const VALUE = /"[^"\n]{1,400}"|'[^'\n]{1,400}'|[^\s"'`,;&)}\]]{1,400}/.source;
const named = (link: string) =>
  new RegExp(`(${NAME}["'\`]?)(${link})((?:bearer|basic|token)\\s{1,3})?(${VALUE})`, "giu");
const ASSIGNED = named(SIGN);
const SPOKEN = named(SPACE);
/** No word and no hash of a commit has all three kinds of characters in a row so long. */
const RUN = "[A-Za-z0-9+_=-]";
const RANDOM = new RegExp(
  `(?<!${RUN})${["[a-z]", "[A-Z]", "\\d"].map((one) => `(?=${RUN}{0,200}${one})`).join("")}${RUN}{32,}`,
  "g",
);

/** The text with `•••` in the place of whatever looks like a key, a token or a password. */
export function maskSecrets(text: string): string {
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(ADDRESS, `$1:${MASK}@`)
    .replace(KEY, MASK)
    .replace(
      ASSIGNED,
      masked(() => true),
    )
    .replace(SPOKEN, masked(isNoWord))
    .replace(RANDOM, MASK);
}

type IsSecret = (value: string, link: string) => boolean;

function masked(isSecret: IsSecret) {
  return (whole: string, name: string, link: string, scheme: string | undefined, value: string) => {
    const isShown = value.includes(MASK) || !(scheme !== undefined || isSecret(value, link));
    return isShown ? whole : `${name}${link}${scheme ?? ""}${MASK}`;
  };
}

/** `the token bucket` and `the password is wrong` hold no secret. */
function isNoWord(value: string, link: string): boolean {
  const bare = value.replace(/^["']|["'.!?]+$/g, "");
  return link.includes("は") || /[^\p{L}\p{M}'’-]/u.test(bare);
}
