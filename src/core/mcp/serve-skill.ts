import * as z from "zod";
import { once } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { hashOf } from "../storage/read.ts";
import { type Boundary, protocolResult } from "./error-boundary.ts";
import type { ProtocolServer } from "./protocol.ts";
import { skill } from "./skill.ts";

/** The extension by which clients get a server's skills. */
export const SKILLS = "io.modelcontextprotocol/skills";
const SKILL_URI = "skill://vibe/SKILL.md";

/** Whether a client has each of the `known` tools that the skill names. */
export function skillFits(known: readonly string[], tools: readonly { name: string }[]): boolean {
  const text = skill("alone");
  const named = known.filter((name) => text.includes(`\`${name}`));
  return named.every((name) => tools.some((tool) => tool.name === name));
}

/** The text of the skill at an address; undefined for any other. */
export function readSkill(uri: string) {
  return uri === SKILL_URI
    ? { contents: [{ uri, mimeType: "text/markdown", text: skill("alone") }] }
    : undefined;
}

/** Answers what the extension defines. */
export function serveSkills(server: ProtocolServer, boundary: Boundary, kept: object): void {
  const params = z.looseObject({ uri: z.string().optional() }).optional();
  server.setRequestHandler("skills/list", { params }, () => ({ skills: [entry()], ...kept }));
  server.setRequestHandler("skills/get", { params }, (given) =>
    protocolResult(boundary, async () => {
      if (given?.uri !== SKILL_URI) throw noSkill(given?.uri);
      return { skill: entry(), ...kept };
    }),
  );
}

/** The skill, with the digest and the size by which clients check what they read. */
const entry = once(() => {
  const text = skill("alone");
  const bytes = Buffer.from(text);
  return {
    uri: SKILL_URI,
    frontmatter: parseFrontmatter(text).data,
    resources: [{ uri: SKILL_URI, digest: `sha256:${hashOf(bytes)}`, size: bytes.length }],
  };
});

function noSkill(uri = ""): UserError {
  const message = `No skill is served at ${quoteName(uri)}. There is ${SKILL_URI}.`;
  return new UserError("INVALID_ARGUMENT", message, { details: { argument: "uri" } });
}
