import assert from "node:assert/strict";
import { test } from "node:test";
import { isWrittenLink } from "../../src/core/workspace/links.ts";
import { assertProportionate } from "../fixtures/growth.ts";

test("a link is written with brackets around a name, or before a target", () => {
  for (const text of ["[[a]]", "![[a#b|c]]", " [a](b.md) ", "![](b.md)", "[a](b) [c](d)", "[a]\n(b](c)"])
    assert.ok(isWrittenLink(text), text);
  for (const text of ["", "a.md", "[[a]", "[a]", "[a]()", "[a](b", "a [b](c)", "[a](b) c", "[[", "]](", "[)"])
    assert.ok(!isWrittenLink(text), text);
});

test("a text that looks like many links takes time in proportion", () => {
  assertProportionate(["[](", "[a](b", "[[", "[[]"], isWrittenLink, 12_000);
});
