import { isNamedToken } from "../../core/notes/writer.ts";
import { words } from "../language.ts";
import type { Kind } from "./model.ts";

interface WhoProps {
  name: string;
  kind: Kind;
}

/** Who wrote: the history does not name people. */
export function Mark({ name, kind }: WhoProps) {
  if (kind === "agent" && name !== "") return <Initials name={name} kind={kind} />;
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[kind]} />
    </svg>
  );
}

const MAX_INITIALS = 2;

/** In a colour of the name's own: square for an agent, round for a person. */
export function Initials({ name, kind }: WhoProps) {
  const letters = name.split(/[\s._@-]+/).map((word) => [...word][0] ?? "");
  return (
    <span class={`initials initials-${kind}`} style={{ "--hue": hueOf(name) }} aria-hidden="true">
      {letters.slice(0, MAX_INITIALS).join("").toUpperCase()}
    </span>
  );
}

const SHAPES = {
  agent: "M8 1v2.5M3 3.5h10v9H3zM6 7v1.5M10 7v1.5M3 13l-1.5 2M13 13l1.5 2",
  person: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14.5a5.5 5.5 0 0 1 11 0",
  outside: "M3 1.5h6.5l3.5 3.5v9.5H3zM9 2v4h4",
};

export function Who({ name, kind }: WhoProps) {
  return (
    <span class="who">
      <Mark name={name} kind={kind} /> <span class="unseen">{words.activity.kinds[kind]}</span>{" "}
      <bdi>{shownName({ name, kind })}</bdi>
    </span>
  );
}

export function shownName({ name, kind }: WhoProps): string {
  if (kind === "agent") return name || words.activity.unnamed;
  if (kind === "outside") return words.activity.outside;
  const [program, token] = name.split("/").reverse();
  if (token !== undefined && isNamedToken(token)) return token;
  return program === "board" ? words.activity.board : words.activity.terminal;
}

/** A colour from the name alone, so that it stays the same everywhere. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return sum;
}
