/** Words that follow a name and are no value. */
const PROSE = new Set(
  `a about above account actually add added after again against all already also always an and any anything are argument as ask asks at auth
  authentication based be because been before being below between both but by bytes can cannot change changed changes check checks come
  comes could default did do does each either else empty encoded enter env environment every everything expired expires expiry false
  field file fields flag for from generated get gets given goes has hash hashed hashes have here how if in input instead int integer into
  invalid is issue it its just keep kept key keys leaks less lies like lives lookup made make manager may me might missing must my name need
  needed needs never new next no none not nothing now null nil number of off old on once one only optional option or other our out over
  param parameter per plus prompt prompts protected provide provided random read redacted refresh rejected remains remove required
  reset returns rotate rotated rotates rotation same saved secret secrets see seen sent separate set sets should since so some soon still
  store stored str string such take taken text than that the their them then there they thing things this those through to todo token tokens
  too true tbd two type undefined unknown unless unset until up update updated use used uses user username using valid validate value var variable
  via was we were what when where whether which while who why will with without wrong yes yet you your password passwords passphrase
  boolean bool oauth oauth2 jwt jwts sha256 sha512 sha-256 md5 argon2 argon2id bcrypt scrypt base64 base64url utf8 utf-8 http2 ipv4
  ipv6 hs256 rs256 es256 ed25519 rsa2048 rsa4096 aes256 aes-256 2fa mfa totp pkce oidc saml uuid uuidv4 uuidv7 es2022 node22 1password include omit same-origin kubernetes k8s s3 x509
  ver véase está es en el la los las de del que no se und oder ist im nicht siehe dans est voir le`.split(
    /\s+/,
  ),
);
/** `${PASSWORD}`, `$TOKEN`, `{{ secrets.x }}`, `secrets.TOKEN`, `***`, `<password>`, `options.password`. */
const PLACEHOLDER =
  /^(?:\$\{\{?[^}:]{0,100}\}?\}?|\$env:\w{1,80}|%\w{1,80}%|\{\{?[^}]{0,100}\}?\}?|(?:process\.env|import\.meta\.env|os\.environ|secrets|vars?|req|this|self)(?:\.[A-Za-z_]\w{0,60}){1,6}|(?:[a-z_$]\w{0,60}\??\.){1,6}(?:password|passwd|token|secret|api[-_]?key)|[*x•.…_-]{2,}|(?:your|my|the|some|example|redacted|changeme)?[-_ ]?(?:password|passwd|token|secret|api[-_]?key)(?:[-_ ]?here)?)$/i;
const VARIABLE = /^\$[A-Z_]{2,80}$/;
const UNITS = /^[\d.,:/+-]*\d(?:k|m|kb|mb|gb|kib|mib|ms|s|min|h|d|x|%|px|bits?|bytes?|th|st|nd|rd|am|pm)?$/i;
const VERSION = /^v?\d{1,4}(?:\.\d{1,6}){1,3}(?:-[a-z]{1,10}(?:\.?\d{1,4})?)?$/i;
/** Paths of files, addresses and numbers of tasks, in sentences. */
const NAMED =
  /^(?:(?:https?|ssh|file):\/\/\S{1,500}|[\w@.~-]{0,80}(?:\/[\w@.-]{1,80}){1,20}\/?|[\w-]{1,80}\.[a-z]{1,5}|#\d{1,9}|[A-Z]{1,10}-\d{1,9}|\d{3}-[a-z][a-z-]{0,80}|[0-9a-f]{7,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d{2}-\d{2}\S{0,30})$/;

export function isProse(value: string): boolean {
  return !/[\p{L}\p{N}]/u.test(value) || PROSE.has(value.toLowerCase().replace(/['’.!?]+\p{L}{0,2}$/u, ""));
}

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value.trim()) || VARIABLE.test(value);
}

/** Letters and digits together, or signs that no word has. */
export function looksSecret(value: string, least: number): boolean {
  if (value.length < least || UNITS.test(value) || VERSION.test(value) || NAMED.test(value)) return false;
  return (/\p{L}/u.test(value) && /\d/.test(value)) || /\p{L}\p{M}*[!@#$%^&*+=~?]+[\p{L}\p{N}]/u.test(value);
}
