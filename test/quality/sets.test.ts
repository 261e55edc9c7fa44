import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { measureSet } from "../../scripts/quality/sets.ts";
import { UsageError } from "../../src/core/config/options.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

/** The rows of a set in the shape that its owners publish, without spaces. */
async function rowsOf(t: TestContext, name: string, files: Record<string, unknown>): Promise<string[]> {
  const folder = temporaryFolder(t);
  for (const [file, value] of Object.entries(files)) writeFileSync(join(folder, file), JSON.stringify(value));
  const table = await measureSet(name, folder);
  return table
    .trim()
    .split("\n")
    .map((line) => line.trim().replaceAll(/ {2,}/g, " | "))
    .map((line) => line.replace(/ \d+(?= \| [\d.]+$)/, " n"));
}

const HEAD =
  "questions | MRR@10 | found@3 | found@5 | found@10 | found@20 | in the answer | characters for each | weak";
const FOUND = "100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | n | 0.0";

test("LoCoMo is asked for sessions, with the evidence that the audit corrects", async (t) => {
  const conversation = {
    session_1_date_time: "1 pm on 2 May, 2023",
    session_1: [{ speaker: "Ana", text: "I adopted a tortoise.", blip_caption: "a photo of a terrarium" }],
    session_2: [{ speaker: "Leo", text: "My violin was repaired." }],
    session_3_date_time: "never held",
  };
  const qa = [
    { question: "Which tortoise sits in the terrarium?", evidence: ["D1:1"], category: 4 },
    { question: "Whose violin was repaired?", evidence: ["D1:1"], category: 4 },
    { question: "Who has a tortoise, who a violin?", evidence: ["D1:1; D2:1"], category: 1 },
    { question: "What does nobody say?", evidence: [], category: 5 },
  ];
  const errors = [{ question_id: "locomo_0_qa1", correct_evidence: ["D2:1"] }];
  const files = { "locomo10.json": [{ sample_id: "talk", conversation, qa }], "errors.json": errors };
  const rows = [HEAD, `one session | 2 | ${FOUND}`, `several sessions | 1 | ${FOUND}`, `all | 3 | ${FOUND}`];
  assert.deepEqual(await rowsOf(t, "locomo", files), rows);
});

test("XQuAD is asked for paragraphs, whose passages hold the answer", async (t) => {
  const context = "Zinc is a metal. Some say it melts at 419 degrees, which others doubt.";
  const qas = [{ question: "When does zinc melt?", answers: [{ text: "419 degrees" }] }];
  const data = [{ paragraphs: [{ context, qas }] }];
  assert.deepEqual(await rowsOf(t, "xquad", { "xquad.json": { data } }), [HEAD, `all | 1 | ${FOUND}`]);
});

test("pieces of code and sections of documentation are notes", async (t) => {
  const file = {
    original_uuid: "0123456789abcdef",
    chunks: [{ original_index: 0, content: "fn parseHeader() {}" }],
  };
  const right = [[file.original_uuid, 0]];
  const code = {
    "codebase_chunks.json": [file],
    "evaluation_set.jsonl": { query: "how to parse a header", golden_chunk_uuids: right },
  };
  const rows = [HEAD, `all | 1 | ${FOUND.replace(/100.0 \| n/, "0.0 | -")}`];
  assert.deepEqual(await rowsOf(t, "code", code), rows, "no sentence holds a word of the question");
  const section = {
    chunk_link: "https://example.com/a#b",
    chunk_heading: "Limits",
    text: "Ten calls a minute.",
  };
  const asked = [
    {
      question: "Which limits have calls in a minute?",
      correct_chunks: [section.chunk_link, "https://example.com/gone"],
    },
  ];
  const docs = { "anthropic_docs.json": [section], "docs_evaluation_dataset.json": asked };
  const half = FOUND.replaceAll(" 100.0", " 50.0").replace("50.0 | n", "100.0 | n");
  assert.deepEqual(await rowsOf(t, "docs", docs), [HEAD, `all | 1 | ${half}`]);
});

test("another set is refused with the names of those there are", async () => {
  await assert.rejects(
    measureSet("toString", "."),
    new UsageError("--set is one of locomo, xquad, code, docs"),
  );
});
