import { pixelProblem } from "./size.ts";

const MAX_BYTES = 2 * 1024 * 1024;
/** Elements, those that references repeat counted each time. */
const MAX_COST = 20_000;
const MAX_DEPTH = 200;
const MAX_DASHES = 5_000_000;

/** What costs a browser more than an element does: these paint whole areas, and patterns again for each tile. */
const WEIGHTS: Readonly<Record<string, number>> = { pattern: 50, mask: 20, filter: 20 };
const COSTLY_FILTERS =
  "Turbulence|ConvolveMatrix|Morphology|DiffuseLighting|SpecularLighting|Image|Tile|DisplacementMap";

/** Each is written so that odd spellings are refused rather than misread. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^\s*<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii|iso-8859-1)|\0/i, "its text is not UTF-8"],
  [/<!(?!--|\[CDATA\[|DOCTYPE\s[^[>]*>)/i, "it declares entities"],
  [
    /<\?xml-stylesheet|data:(?:image\/svg|text\/|application\/x(?:ht)?ml|[;,])|data:image\/\w+[^,]{0,60}(?<!;base64),/i,
    "it holds another document",
  ],
  [/<(?:[\w-]+:)?(?:animate\w*|set|discard)[\s/>]/, "it is animated"],
  [new RegExp(`<(?:[\\w-]+:)?fe(?:${COSTLY_FILTERS})[\\s/>]`), "it has costly filters"],
  [/\bmarker(?:-mid)?\s*[:=]\s*["']?\s*url/i, "it has markers at each point"],
];

/** Why a browser could take very long to show this SVG; undefined if it cannot. Takes time in proportion to its length. */
export function svgProblem(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_BYTES) return "it has more than 2 MB";
  const text = decode(bytes);
  if (text === undefined) return "its text is not UTF-8";
  const plain = withoutCodes(text);
  // Addresses may hold line breaks and tabs.
  const joined = plain.replace(/[\t\r\n]/g, "");
  for (const [pattern, problem] of REFUSED) if (pattern.test(plain) || pattern.test(joined)) return problem;
  for (const [, inside = ""] of plain.matchAll(/data:image\/\w+[^,"'<]{0,60};base64,([\w+/= ]*)/gi))
    if (pixelProblem(fromBase64(inside)) !== undefined) return "a picture in it is too large";
  const root = parse(text);
  if (root === undefined) return "it is not well-formed";
  const total = costOf(root, byId(root), 0);
  const paintsAreas = /filter|mask/i.test(root.css);
  if (isOdd(root)) return "its references are not plain";
  if (total * (paintsAreas ? 20 : 1) > MAX_COST) return "it has too many parts";
  return dashes(plain, root) * (total / root.size) > MAX_DASHES ? "it has too many dashes" : undefined;
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** With characters in place of their numbers (`&#x23;`). */
function withoutCodes(text: string): string {
  return text.replace(/&#(?:x([\da-f]{1,8})|(\d{1,8}));/gi, (_all, hex?: string, number?: string) => {
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    return code > 0x10_ff_ff ? "" : String.fromCodePoint(code);
  });
}

interface Reference {
  id: string;
  /** Whether it holds for all elements inside. */
  isInherited: boolean;
}

interface Element {
  name: string;
  ids: string[];
  references: Reference[];
  /** Its own cost, without parts and references. */
  own: number;
  parts: Element[];
  cost?: number;
}

interface Root extends Element {
  /** Of all elements. */
  css: string;
  size: number;
  /** All numbers of shapes. */
  lengths: number;
  hasOddValue: boolean;
}

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<[?!][^>]*>|<\/[^>]*>|<([^\s/>"'<=]+)((?:[^"'<>]|"[^"]*"|'[^']*')*)>|([^<]+)/y;

/** The elements of a text; undefined if it is not well-formed. */
function parse(text: string): Root | undefined {
  const root: Root = { ...element(""), css: "", size: 1, lengths: 0, hasOddValue: false };
  const open: Element[] = [root];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text);
    if (token === null) return undefined;
    readToken(token, root, open);
    if (open.length > MAX_DEPTH) return { ...root, own: Number.POSITIVE_INFINITY };
  }
  return root;
}

function readToken(
  [token, raw, name, attributes = "", words = raw]: RegExpExecArray,
  root: Root,
  open: Element[],
) {
  const top = open.at(-1) ?? root;
  if (name !== undefined) {
    const one = element(localName(name));
    readAttributes(one, root, attributes);
    root.size++;
    top.parts.push(one);
    if (!attributes.endsWith("/")) open.push(one);
  } else if (token.startsWith("</")) open.pop();
  else if (words !== undefined && top.name === "style") root.css += withoutCodes(words);
}

const element = (name: string): Element => ({ name, ids: [], references: [], own: 1, parts: [] });

const localName = (name: string) => name.split(":").at(-1) ?? "";

const PAINTS = /^(?:fill|stroke|filter|mask|clip-path|marker-start|marker-end|style|cursor)$/;
const INHERITED = /^(?:fill|stroke|marker-start|marker-end|style)$/;
const SHAPES = /^(?:d|points|[xy][12]|r[xy]?|width|height)$/;

function readAttributes(one: Element, root: Root, text: string): void {
  for (const [, full = "", quoted = ""] of text.matchAll(/([^\s="'/]{1,60})\s*=\s*("[^"]*"|'[^']*')/g)) {
    const name = localName(full);
    const value = withoutCodes(quoted.slice(1, -1)).trim();
    if (name === "id") one.ids.push(value);
    if (name === "href" && value.startsWith("#") && value !== "#")
      one.references.push({ id: value.slice(1), isInherited: false });
    if (SHAPES.test(name)) root.lengths += sumOf(value);
    if (PAINTS.test(name)) readPaint(one, root, { name, value });
  }
}

function readPaint(one: Element, root: Root, { name, value }: { name: string; value: string }): void {
  if (value.includes("\\")) root.hasOddValue = true;
  if (/(?:blur|shadow|filter)\(/i.test(value)) one.own += 20;
  for (const [, id = ""] of value.matchAll(/url\(\s*(?:["']|&quot;|&apos;)?\s*#([^"'&)]*)/gi))
    one.references.push({ id: id.trim(), isInherited: INHERITED.test(name) });
}

function byId(root: Element, found = new Map<string, Element[]>()): Map<string, Element[]> {
  for (const part of root.parts) {
    for (const id of part.ids) found.set(id, [...(found.get(id) ?? []).slice(0, 9), part]);
    byId(part, found);
  }
  return found;
}

/** How many elements it comes to; infinite for what leads to itself. */
function costOf(one: Element, targets: ReadonlyMap<string, readonly Element[]>, depth: number): number {
  if (one.cost !== undefined) return one.cost;
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
  one.cost = Number.POSITIVE_INFINITY;
  let inner = one.own;
  for (const part of one.parts) inner += costOf(part, targets, depth + 1);
  let cost = inner;
  for (const { id, isInherited } of one.references)
    for (const target of targets.get(id) ?? [])
      cost += costOf(target, targets, depth + 1) * (WEIGHTS[target.name] ?? 1) * (isInherited ? inner : 1);
  one.cost = cost;
  return cost;
}

/** Whether something may refer to another element in a way that is not read here. */
function isOdd(root: Root): boolean {
  if (root.hasOddValue || /\\|url\(\s*["']?\s*#/.test(root.css)) return true;
  const odd = ({ references, parts }: Element): boolean =>
    references.some(({ id }) => /[%\s&]/.test(id)) || parts.some(odd);
  return odd(root);
}

/** How many dashes the lines have at most. */
function dashes(text: string, { lengths }: Root): number {
  const written = text.matchAll(/stroke-dasharray["']?\s*[:=]\s*["']?([\d.,\se+-]{1,1000})/gi);
  const sizes = [...written].flatMap(([, list = ""]) => numbers(list)).filter((size) => size > 0);
  return sizes.length === 0 ? 0 : lengths / sizes.reduce((a, b) => Math.min(a, b));
}

const numbers = (text: string) => (text.match(/[\d.]+(?:e[+-]?\d+)?/gi) ?? []).map(Number);

const sumOf = (text: string) => numbers(text).reduce((sum, one) => sum + (one || 0), 0);
