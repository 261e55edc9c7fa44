import type { Fields } from "../../core/lib/fields.ts";
import { claudeFacts, isClaudeRecord } from "./claude-code.ts";
import { codexReader, isCodexRecord } from "./codex.ts";
import { copilotReader, isCopilotRecord } from "./copilot.ts";
import type { Fact } from "./fact.ts";
import { geminiReader, isGeminiRecord } from "./gemini.ts";

interface Format {
  /** What people call the client. */
  title: string;
  knows(record: Fields): boolean;
  /** Begins a transcript; what it returns is given the records one after the other. */
  start(): (record: Fields) => Fact[];
}

/** The transcripts that can be read, by client. */
export const FORMATS = {
  codex: { title: "Codex", knows: isCodexRecord, start: codexReader },
  gemini: { title: "Gemini CLI", knows: isGeminiRecord, start: geminiReader },
  copilot: { title: "Copilot CLI", knows: isCopilotRecord, start: copilotReader },
  // Last: its mark is the weakest.
  "claude-code": { title: "Claude Code", knows: isClaudeRecord, start: () => claudeFacts },
} satisfies Record<string, Format>;

export type TranscriptClient = keyof typeof FORMATS;

export function clientOf(record: Fields): TranscriptClient | undefined {
  const clients = Object.keys(FORMATS) as TranscriptClient[];
  return clients.find((client) => FORMATS[client].knows(record));
}
