import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const SOURCE = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join("src", name), "utf8"))
  .join("\n");

test("every message that troubleshooting explains is one of the program's", () => {
  const page = readFileSync("docs/troubleshooting.md", "utf8");
  const symptoms = [...page.matchAll(/^\| ([^|]+) \|/gm)].map(([, symptom = ""]) => symptom);
  const messages = symptoms.flatMap((symptom) =>
    [...symptom.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text),
  );
  assert.ok(messages.length > 35);
  const unknown = messages.filter((text) => !text.split("…").every((part) => SOURCE.includes(part.trim())));
  assert.deepEqual(unknown, []);
});
