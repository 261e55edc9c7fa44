import { type Fields, stringOf } from "../../core/lib/fields.ts";

/** What an agent called a tool for. */
export interface Call {
  /** A line for the shell. */
  command?: string;
  /** Files that it changes, as it names them. */
  files?: readonly string[];
  /** A file that it reads. */
  reads?: string;
  /** A tool of an MCP server, without the server's name. */
  tool?: string;
  input?: Readonly<Record<string, unknown>>;
}

export interface Tokens {
  input: number;
  /** Of them, those that came from a cache. */
  cached: number;
  output: number;
}

/** What became of a call. */
export type Outcome = "done" | "failed" | "refused";

/** What one record of a transcript says. */
export type Fact =
  | { is: "session"; id: string }
  /** The session of an agent that another one started: no person asked anything. */
  | { is: "helper" }
  | { is: "folder"; folder: string }
  /** A record of a kind that is new: what it says is not read. */
  | { is: "unknown"; kind: string }
  | { is: "model"; model: string }
  | { is: "asked"; text: string }
  | { is: "said"; text: string }
  | { is: "called"; id: string; call: Call }
  | { is: "answered"; id: string; outcome: Outcome }
  /** Those of one message, which several records may repeat. */
  | { is: "used"; message: string; tokens: Tokens }
  /** Those of the session so far. */
  | { is: "total"; tokens: Tokens };

/** What several clients say in one way; nothing if they do not say it. */
export const sessionFacts = (id: unknown): Fact[] =>
  stringOf(id) === "" ? [] : [{ is: "session", id: stringOf(id) }];
export const folderFacts = ({ cwd }: Fields): Fact[] =>
  stringOf(cwd) === "" ? [] : [{ is: "folder", folder: stringOf(cwd) }];
export const modelFacts = (model: unknown): Fact[] =>
  stringOf(model) === "" ? [] : [{ is: "model", model: stringOf(model) }];
