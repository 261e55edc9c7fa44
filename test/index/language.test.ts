import assert from "node:assert/strict";
import { test } from "node:test";
import { detectLanguage } from "../../src/core/index/language.ts";

const texts: Record<string, string | null> = {
  "How do we rotate the token?": "en",
  "¿Cómo se renueva el token?": "es",
  "como se renueva el token": "es",
  トークンの有効期限を決める: "ja",
  "React のフック": "ja",
  如何运行你的代码: "zh",
  "인증 토큰의 만료": "ko",
  認証: null,
  "React Compiler": null,
  getUserProfile: null,
  "": null,
};

test("the language of a text is known by its script or its stop words, or unknown", () => {
  for (const [text, language] of Object.entries(texts)) assert.equal(detectLanguage(text), language, text);
});

test("a quoted foreign word or a code sample does not change the language", () => {
  assert.equal(detectLanguage(`${"This is the text of a note in English. ".repeat(5)} 認証トークン`), "en");
  assert.equal(detectLanguage(`${"認証トークンの設計を説明する。".repeat(5)} const the = of(a);`), "ja");
});
