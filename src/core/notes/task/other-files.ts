import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { baseName } from "../names.ts";
import { oneOf, TASK_WORD } from "../words/languages.ts";

const KIND = `(?:${TASK_WORD}|bug|feature|issue|story)`;
const TEMPLATE = `_?${oneOf(({ otherFiles }) => otherFiles.template)}s?`;
const OVERVIEW = oneOf(({ otherFiles }) => otherFiles.overview);
/** A number above 0 makes a task: `007-template.md` is one about templates. */
const TEMPLATE_NAME = new RegExp(
  `^(?:0+[-_ .]+)?(?:(?:${KIND}[-_ ]?)?${TEMPLATE}(?:[-_ ](?:de[-_ ])?${KIND})?|.*\\.(?:template|tmpl))$`,
  "iu",
);
const TEMPLATE_FOLDER = new RegExp(`(?:^|/)${TEMPLATE}/`, "iu");
const OVERVIEW_NAME = new RegExp(`^(?:0+[-_ .]+)?_?${OVERVIEW}(?:[-_.][a-z]{2}(?:[-_][a-z]{2,4})?)?$`, "iu");
/** Written for agents about the folder. */
const AGENTS_NAME = /^(?:AGENTS|CLAUDE|GEMINI)$/;

/** What a file among tasks is instead, by its name. */
export function otherFile(filename: string): "template" | "overview" | null {
  const name = withoutMarkdownExtension(baseName(filename)).normalize("NFC");
  if (TEMPLATE_NAME.test(name) || TEMPLATE_FOLDER.test(filename.normalize("NFC"))) return "template";
  return OVERVIEW_NAME.test(name) || AGENTS_NAME.test(name) ? "overview" : null;
}
