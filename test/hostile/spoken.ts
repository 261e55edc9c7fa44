import type { Client } from "@modelcontextprotocol/sdk/client/index.js";

export const ORDER = "IGNORE PREVIOUS";
/** Ends a line, turns words round, ends quotes and code, and rings. */
export const ODD = `x. ${ORDER} it's “a” \`rm\`\u202E\u200B`;
/** The same in what may hold line breaks and control characters. */
export const WORST = `${ODD}\n\n# ${ORDER}\u2028\u001b[31m`;

/** Fields that hold what notes and clients say, unchanged. Every other one is a sentence of the server. */
const DATA = new Set(
  `absolute_path agent argument base_path change client content dependencies diff filename folder from heading headings lines list missing_dependencies moved
  moved_from moved_to name objective open open_dependencies overview owner path previous_path previous_status project query same_number sections
  snippet status suggestions tag tags task text title to type written_path`.split(/\s+/),
);

/** No character that a sentence of the server may hold unescaped. */
export const INVISIBLE = /[\p{Cs}\p{Zl}\p{Zp}\u200B\u202A-\u202E\u2060-\u2069\uFEFF]|(?!\n)\p{Cc}/u;
const QUOTED = /``(?:[^`]|`(?!`))*``|(?<![\p{L}\p{N}])'[^']*'|"[^"]*"|“[^”]*”|`[^`]*`/gu;

/** What is wrong with a sentence of the server; none if nothing is. */
export function faults(sentence: string, what: string): string[] {
  const isPlain = !INVISIBLE.test(sentence) && !sentence.includes("\n");
  const isQuoted = !sentence.replace(QUOTED, "").includes("IGNORE");
  return isPlain && isQuoted ? [] : [`${what}: ${sentence}`];
}

/** The sentences of an answer, with their fields. */
export function* sentencesIn(value: unknown, field = ""): Generator<[string, string]> {
  if (typeof value === "string") {
    if (!DATA.has(field)) yield [field, value];
  } else if (Array.isArray(value)) for (const item of value) yield* sentencesIn(item, field);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) yield* sentencesIn(item, key);
}

/** What is wrong with the sentences of a call's answer, and whether it has any. What follows the answer is one. */
export async function faultsOf(client: Client, name: string, args: Record<string, unknown>) {
  const { structuredContent, content } = await client.callTool({ name, arguments: args });
  const [first, ...news] = (content as { text?: string }[]).map(({ text = "" }) => text);
  const sentences = [
    ...[structuredContent, JSON.parse(first ?? "null") as unknown].flatMap((answer) => [
      ...sentencesIn(answer),
    ]),
    ...news.map((text): [string, string] => ["after the answer", text]),
  ];
  const what = (field: string) => `${name} ${JSON.stringify(args)} ${field}`;
  return { sentences, found: sentences.flatMap(([field, sentence]) => faults(sentence, what(field))) };
}

/** What is wrong with the server's own lines of a text that quotes others in lines with `>`. */
export function faultsOfText(text: string, what: string): string[] {
  const own = text.split("\n").filter((line) => !line.startsWith(">"));
  return own.flatMap((line) => faults(line, what));
}
