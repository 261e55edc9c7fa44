import type { Fact } from "./fact.ts";

/** What a client or its hooks add to a message of the person. */
const ADDED = /<(system-reminder|hook_context)>[\s\S]*?(?:<\/\1>|$)/g;
/** How texts begin that a client writes in the name of the person. */
const MACHINE = new RegExp(
  `^(?:${[
    "<(?:command-message|local-command-[a-z]+|bash-[a-z]+|task-notification|user-prompt-submit-hook|ide_[a-z_]+)>",
    "<(?:environment_context|user_instructions|user_action|turn_aborted|skill|subagent_notification|INSTRUCTIONS)\\b",
    "<(?:permissions instructions|collaboration_mode|apps_instructions|teammate-message|model_switch)\\b",
    "<(?:session_context|state_snapshot)>",
    "# AGENTS\\.md instructions",
    "\\[Request interrupted by user",
    "Caveat: The messages below",
    "This session is being continued from a previous conversation",
  ].join("|")})`,
);
const NAME = /<command-name>\s*(\/?[\w:.-]{1,100})\s*<\/command-name>/;
const ARGUMENTS = /<command-args>([\s\S]{1,20000}?)<\/command-args>/;

/** What a person wrote in a message of theirs; `""` if a client wrote it. A command of the client counts if words follow it. */
function askedIn(text: string): string {
  const own = text.replace(ADDED, "");
  const [, name] = NAME.exec(own.slice(0, 2_000)) ?? [];
  if (name !== undefined) {
    const words = ARGUMENTS.exec(own)?.[1]?.trim() ?? "";
    return words === "" ? "" : `${name} ${words}`;
  }
  const trimmed = own.trim();
  return MACHINE.test(trimmed) ? "" : trimmed;
}

/** What a person wrote in the texts of one message; nothing if a client wrote all of them. */
export function askedFacts(texts: readonly string[]): Fact[] {
  const text = texts.map(askedIn).filter(Boolean).join("\n");
  return text === "" ? [] : [{ is: "asked", text }];
}
