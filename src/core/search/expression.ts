import { tokenize } from "../index/tokenizer.ts";

const SPACE = "[ \\t\\r\\n]*";
const LETTER = "[\\w\\x1a\\u0080-\\u{10ffff}]";
// The lookaheads leave one way to split a text into strings: backtracking would take too long on a long one.
const STRING = `(?:"(?:[^"]|"")*"(?!")|(?!(?:AND|OR|NOT)(?!${LETTER}))${LETTER}+(?!${LETTER}))`;
const STARRED = `${STRING}(?:${SPACE}\\*)?`;
const PHRASE = `${STARRED}(?:${SPACE}\\+${SPACE}${STARRED})*`;
const NEAR = `NEAR${SPACE}\\((?:${SPACE}${PHRASE})+(?:${SPACE},${SPACE}${STRING})?${SPACE}\\)`;
const COLUMNS = `-?${SPACE}(?:${STRING}|\\{(?:${SPACE}${STRING})+${SPACE}\\})${SPACE}:${SPACE}`;

const TOKENS = {
  skip: new RegExp(SPACE, "uy"),
  operand: new RegExp(`(?:${COLUMNS})?(?:${NEAR}|(?:\\^${SPACE})?${PHRASE})`, "uy"),
  open: new RegExp(`(?:${COLUMNS})?\\(`, "uy"),
  close: /\)/uy,
  OR: new RegExp(`OR(?!${LETTER})`, "uy"),
  AND: new RegExp(`AND(?!${LETTER})`, "uy"),
  NOT: new RegExp(`NOT(?!${LETTER})`, "uy"),
};
// The columns and the distance of NEAR, which are not looked up.
const AROUND = new RegExp(`^(?:${COLUMNS})?(?:NEAR${SPACE}\\()?|,${SPACE}${STRING}${SPACE}\\)$`, "gu");
const WORDS = new RegExp(`(${STRING})(${SPACE}\\*)?`, "gu");

/** Loosest first. */
const OPERATORS = ["OR", "AND", "NOT"] as const;
/** FTS5's own parser gives up a little deeper. */
const MAX_DEPTH = 20;
/** The most that an expression may cost, in words to look up. */
const MAX_COST = 48;
/** What a one-letter prefix costs, in words; each further letter halves it. */
const ONE_LETTER = 32;

interface Piece {
  text: string;
  cost: number;
}

/**
 * An FTS5 expression without repeated neighbouring operands, each of which FTS5 would look up; null if it does not parse, or
 * still costs too much.
 */
export function simplify(expression: string): string | null {
  const reader = { text: expression, at: 0, depth: 0 };
  const piece = readOperators(reader, 0);
  take(reader, "skip");
  return piece === null || reader.at < expression.length || piece.cost > MAX_COST ? null : piece.text;
}

interface Reader {
  text: string;
  at: number;
  depth: number;
}

function take(reader: Reader, kind: keyof typeof TOKENS): string | null {
  const pattern = TOKENS[kind];
  if (kind !== "skip") take(reader, "skip");
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0] ?? null;
  reader.at += found?.length ?? 0;
  return found;
}

function readOperators(reader: Reader, level: number): Piece | null {
  const operator = OPERATORS[level];
  if (operator === undefined) return readGroup(reader);
  const pieces: Piece[] = [];
  do {
    const piece = readOperators(reader, level + 1);
    if (piece === null) return null;
    pieces.push(piece);
  } while (take(reader, operator) !== null);
  const needed =
    operator === "NOT" ? [...pieces.slice(0, 1), ...distinct(pieces.slice(1))] : distinct(pieces);
  return join(needed, ` ${operator} `);
}

/** An expression in parentheses, or operands side by side. */
function readGroup(reader: Reader): Piece | null {
  const open = take(reader, "open");
  if (open === null) return readOperands(reader);
  if (++reader.depth > MAX_DEPTH) return null;
  const inner = readOperators(reader, 0);
  reader.depth--;
  if (inner === null || take(reader, "close") === null) return null;
  return open === "(" ? inner : { ...inner, text: `${open}${inner.text})` };
}

function readOperands(reader: Reader): Piece | null {
  const pieces: Piece[] = [];
  for (let text = take(reader, "operand"); text !== null; text = take(reader, "operand"))
    pieces.push({ text, cost: costOf(text) });
  return pieces.length === 0 ? null : join(distinct(pieces), " ");
}

function distinct(pieces: Piece[]): Piece[] {
  return [...new Map(pieces.map((piece) => [piece.text, piece])).values()];
}

function join(pieces: Piece[], by: string): Piece {
  const text = pieces.map((piece) => piece.text).join(by);
  return {
    text: pieces.length > 1 ? `(${text})` : text,
    cost: pieces.reduce((sum, { cost }) => sum + cost, 0),
  };
}

function costOf(operand: string): number {
  let cost = 0;
  for (const [, text = "", star] of operand.replace(AROUND, "").matchAll(WORDS)) {
    const words = tokenize(text);
    cost += Math.max(1, words.length);
    const last = words.at(-1);
    // Each letter of an unspaced script is a whole word: nothing else begins with it.
    if (star === undefined || last === undefined || last.unspaced) continue;
    cost += Math.max(1, ONE_LETTER / 2 ** (last.text.length - 1)) - 1;
  }
  return cost;
}
