import fc from "fast-check";
import { TASK_STATUSES } from "../../src/domain/status.ts";
import { anyText } from "../markdown/texts.ts";

const hostileLine = fc.constantFrom(
  ...[
    "Status: done",
    "# Task: X",
    "### Steps",
    "#### *Contexto*:",
    "Pasos\n---",
    "- [x] a",
    "- [ ] b",
    "Steps",
  ],
  ...["### Acceptance Criteria", "- Dependencies: 9", "```", "~~~~", "<!--", "-->", "---", "==="],
);
const lines = fc.array(fc.oneof(anyText, hostileLine), { maxLength: 8 });

const block = fc.oneof(
  anyText,
  fc.tuple(lines, fc.constantFrom("\n", "\r\n")).map(([parts, ending]) => parts.join(ending)),
);

export const list = fc.array(fc.oneof(anyText, fc.string(), fc.constantFrom("x", "[x] y", "")), {
  maxLength: 5,
});

/** A dependency that is written as it is. */
export const reference = fc.stringMatching(/^(?:\d{3}-|x)[a-z]{1,8}(?:-[a-zé0-9]{1,8}){0,3}$/);

const referencePart = fc.constantFrom(
  ...[
    "none",
    "na",
    "(",
    ")",
    "[",
    "]",
    "](",
    "3",
    "task",
    "#",
    "/",
    ".md",
    ",",
    "a",
    "`",
    "*",
    "|",
    "、",
    "\n",
  ],
);

/** A dependency with anything that means something in a list, a link or a path. */
export const hostileReference = fc.oneof(
  fc.string({ unit: "binary" }),
  anyText,
  fc.array(referencePart, { maxLength: 12 }).map((parts) => parts.join("")),
);

/** A new task of hostile texts, without its context. */
export const task = fc.record({
  title: fc.oneof(
    anyText,
    fc.string({ minLength: 1 }),
    fc.constantFrom("#", "a ##", "Task: b", "12: c", "`d`"),
  ),
  objective: block,
  steps: list,
  acceptance_criteria: list,
  notes: fc.option(block),
  status: fc.constantFrom(...TASK_STATUSES),
  tags: list,
});
