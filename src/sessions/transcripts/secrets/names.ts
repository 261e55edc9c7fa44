/** How sure a name is: a `weak` one needs a value that looks like a secret. A `phrase` may have spaces. */
export type Certainty = "strong" | "weak" | "phrase";

/** A word of a text that names a secret, such as `DB_PASSWORD`, `--token` and `apiKey`. */
export interface SecretName {
  start: number;
  end: number;
  text: string;
  certainty: Certainty;
}

const ASIAN = "パスワード|暗証番号|トークン|シークレット|秘密鍵|密码|密碼|口令|密钥|私钥|令牌|비밀번호|토큰";
const LETTER = /(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー])[\p{L}\p{M}\p{N}_])/u.source;
/** Words that say it together. */
const TOGETHER =
  "identified by|pass (?:phrase|word|code)|mot de passe|clave secreta|(?:seed|recovery|secret|backup) (?:phrase|words|codes?)";
/** `password.test.ts` */
const CODE_FILE = /\.(?:[cm]?[jt]sx?|py|go|rs|java|rb|php|css|html|md)$/;
const TOGETHER_ONLY = new RegExp(`^(?:${ASIAN}|${TOGETHER})$`, "i");
const WORD = new RegExp(
  `(?:${ASIAN})|\\b(?:${TOGETHER})\\b|[$@-]{0,3}${LETTER}+(?:[.$-]{1,2}${LETTER}+)*`,
  "giu",
);
/** Most words name nothing: they go no further. */
const LIKELY =
  /pass|pw[ds]?|pword|wort|woord|pw$|secret|token|key|cred|auth|bearer|pin\b|by$|securestring|otp|jwt|cookie|psk|identified|mnemonic|seed|recovery|contrase|clave|senha|segredo|парол|[^\0-\u02ff]/i;

const STRONG =
  /(?:password|passwd|passwrd|passphrase|passcode|passwort|kennwort|wachtwoord|contraseña|pwd|secret|token|bearer|securestring|authorization|passin|passout|psswd|pword|senha|пароль|[a-z]pw)$|^(?:secretkey|pws|psw|psk|creds?|credentials?|credenciales|userpass)|(?:api|access|secret|private|account|auth|encryption|master|shared)key$/u;
const WEAK =
  /^(?:pass|pw|auth|pin|otp|totp|jwt|cookies?|sid|sig|signature|key|clave)$|(?:password|secret|token|key|contraseña)s$/u;
const PHRASE =
  /^(?:.{4,10} (?:phrase|words|codes?)|passphrase|mnemonic|contraseñas?|credentials?|credenciales|creds)$/u;
/** What a key is called that is one. */
const KEY_OF =
  /^(?:api|app|application|access|private|secret|signing|encryption|master|account|shared|storage|license|licence|instrumentation|service|client|consumer|deploy|webhook|session|admin|root|preshared|hmac|auth|subscription|role|project|ssh|ssl|tls|wg|gpg|stripe|openai|anthropic)$/;
/** `bypass` is no `dbpass`. */
const GLUED_PASS = /^(?!by|com|encom|sur|tres|under|over|im)\p{L}{2,}pass$/u;
/** Words at the end of a name that make it one of something else. */
const HARMLESS = new Set(
  `file files filename path paths dir folder policy policies count counter counts length len limit limits size type types kind name
  names field fields input form label hint rule rules url uri urls endpoint expiry expires expired expiration in at ttl age lifetime
  rotation manager store provider service bucket budget usage use used uses reset error errors required enabled version format
  strength prompt page screen column header headers scope scopes issuer audience check checks validation validator placeholder
  ref reference source stdin max min per cost price window ring list table model schema class test tests support handling flow
  grant exchange refresh rate rates stream index position ids bits changed algorithm leak leaks scan scanner scanning`.split(
    /\s+/,
  ),
);

/** The words of a text that name a secret, in order. */
export function* secretNames(text: string): Generator<SecretName> {
  let before = { word: "", end: -10 };
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const end = index + found.length;
    const gap = text.slice(before.end, Math.min(index, before.end + 5));
    const isNear = index - before.end <= 4 && /^[ \t*_]*$/.test(gap);
    const words = LIKELY.test(found) ? wordsOf(found) : [];
    const certainty = certaintyOf(words, isNear ? before.word : "", found);
    if (certainty !== undefined) yield { start: index, end, text: found, certainty };
    before = { word: words.at(-1) ?? found.slice(-40).toLowerCase(), end };
  }
}

/** Whether a whole text, such as the head of a column, is the name of a secret. */
export function isSecretName(text: string): boolean {
  if (text.length > 80) return false;
  return [...secretNames(text)].some(({ certainty, end }) => certainty !== "weak" && end === text.length);
}

function wordsOf(name: string): string[] {
  return name
    .normalize("NFC")
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}ー]+/u)
    .filter(Boolean);
}

function certaintyOf(words: string[], before: string, whole: string): Certainty | undefined {
  const last = words.at(-1);
  if (last === undefined || HARMLESS.has(last) || CODE_FILE.test(whole)) return undefined;
  if (PHRASE.test(last) || PHRASE.test(whole.toLowerCase())) return "phrase";
  const isKey = words.some((word, at) => /^keys?$/.test(word) && KEY_OF.test(words[at - 1] ?? before));
  const isNamed = words.some((word) => STRONG.test(word) || GLUED_PASS.test(word));
  if (isKey || isNamed || STRONG.test(words.join("")) || TOGETHER_ONLY.test(whole)) return "strong";
  // `DB_PASS`, but not `first-pass`.
  if (last === "pass" && words.length > 1) return whole.includes("-") ? "weak" : "strong";
  return words.some((word) => WEAK.test(word)) ? "weak" : undefined;
}
