import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { complete, countTokens, editDistance, fold, nearest, unaccent } from "../../src/core/lib/text.ts";
import { growth, PROPORTIONATE } from "../fixtures/growth.ts";
import { numRuns } from "../fixtures/num-runs.ts";

const FOLDED: [text: string, folded: string][] = [
  ["Sesión", "sesion"],
  ["sesio\u0301n", "sesion"],
  ["Ñandú ÜBER façade", "nandu uber facade"],
  ["Ứng dụng", "ung dung"],
  ["ＡＢＣ１２３！", "abc123!"],
  ["ﬁle", "file"],
  ["İstanbul", "istanbul"],
  ["Straße STRASSE STRAẞE", "strasse strasse strasse"],
  ["ılık ILIK", "ilik ilik"],
  ["Łódź Ørsted Đà", "lodz orsted da"],
  ["ガ", "ガ"],
  ["ｶﾞ", "ガ"],
  ["\u1112\u1161\u11ab", "한"],
  ["हिन्दी", "हिन्दी"],
  ["🙂 C++ node.js", "🙂 c++ node.js"],
  ["", ""],
];

for (const [text, folded] of FOLDED) {
  test(`'${text}' folds to '${folded}'`, () => assert.equal(fold(text), folded));
}

test("folding keeps letters that only marks of voicing or vowels tell apart", () => {
  for (const [one, other] of ["ガカ", "ばは", "ぱば", "ゔう", "한하", "किक"].map((pair) => [
    pair[0],
    pair.slice(1),
  ])) {
    assert.notEqual(fold(one ?? ""), fold(other ?? ""));
  }
});

test("accents are removed with the case kept", () => {
  assert.equal(unaccent("Ｓesión ÁRBOL"), "Sesion ARBOL");
});

test("kana and Chinese characters stay as they are, alone and beside an accent", () => {
  for (const [first, last] of ["ぁゖ", "ァヺ", "ーー", "㐀䶿", "一鿿"].map((range) =>
    [...range].map((one) => one.codePointAt(0) ?? 0),
  ))
    for (let code = first ?? 0; code <= (last ?? 0); code++) {
      const letter = String.fromCodePoint(code);
      assert.equal(unaccent(letter), letter);
      assert.equal(unaccent(`é${letter}`), `e${letter}`);
    }
});

test("a text folds to the same in any composition, and folding twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.equal(fold(text.normalize("NFD")), fold(text.normalize("NFC")));
      assert.equal(fold(fold(text)), fold(text));
    }),
    { numRuns: numRuns(2000) },
  );
});

test("among very many names, the nearest are found in proportionate time", () => {
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => `${String(at).padStart(5, "0")}-add-login-form.md`);
  assert.equal(nearest("04711-ad-login-form.md", names(20_000))[0], "04711-add-login-form.md");
  assert.equal(
    nearest("login-form", [...names(2000), "login-from.md", "lgoin-form"])[0]?.includes("login-form"),
    true,
  );
  const times = growth(
    (length) => names(length / 20).join("\n"),
    (text) => nearest("04711-ad-login-form.md", text.split("\n")),
    100_000,
  );
  assert.ok(times < PROPORTIONATE, `${times}`);
});

/** The definition, word for word: insert, delete, replace, or swap two neighbours. */
function naiveDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const steps = [
    naiveDistance(restA, b) + 1,
    naiveDistance(a, restB) + 1,
    naiveDistance(restA, restB) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0])
    steps.push(naiveDistance(a.slice(2), b.slice(2)) + 1);
  return Math.min(...steps);
}

test("the edit distance is that of the definition, cut at the limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 7 }), (a, b, limit) => {
      assert.equal(editDistance(a, b, limit), Math.min(naiveDistance(a, b), limit + 1));
    }),
    { numRuns: numRuns(500) },
  );
});

const NEAREST: [name: string, candidates: string[], found: string[]][] = [
  ["task", ["plans", "tasks", "assets"], ["tasks"]],
  ["desing", ["design", "desk", "assign"], ["design", "assign", "desk"]],
  ["sesion", ["Sesión", "session"], ["Sesión", "session"]],
  ["plan", ["a-plan", "plan", "plans"], ["plan", "a-plan", "plans"]],
  ["abc", ["abd", "abe", "abf", "abg"], ["abd", "abe", "abf"]],
  ["xyz", ["tasks", "plans"], []],
  ["", ["", "a", "ab"], []],
  ["abc", ["", "abd"], ["abd"]],
  ["anything", [], []],
];

for (const [name, candidates, found] of NEAREST) {
  test(`nearest to '${name}' among [${candidates}] are [${found}]`, () => {
    assert.deepEqual(nearest(name, candidates), found);
    assert.deepEqual(nearest(name, new Set(candidates.toReversed())), found);
  });
}

test("nearest gives as many as asked for", () => {
  assert.deepEqual(nearest("abc", ["abe", "abd", "abf"], 1), ["abd"]);
  assert.deepEqual(nearest("abc", ["abe", "abd"], 0), []);
});

test("an endless name has no neighbours and costs no more than a long one", () => {
  assert.deepEqual(nearest("x".repeat(1_000_000), ["tasks", "plans", "y".repeat(1_000_000)]), []);
});

test("the time to fold a text grows with it, also where it is nothing but marks", () => {
  const marks = (length: number) => `a${"\u0301\u0316".repeat(length / 2)}`;
  assert.ok(growth(marks, fold, 20_000) < PROPORTIONATE);
  assert.ok(growth((length) => `a${"\u05b0\u0591".repeat(length / 2)}`, fold, 20_000) < PROPORTIONATE);
  assert.equal(fold(`E${"\u0301".repeat(1_000)}`), "e");
});

test("values that start with the typed text come before those that contain it", () => {
  assert.deepEqual(complete(["b-árbol", "Arbol", "c"], "ARB"), {
    values: ["Arbol", "b-árbol"],
    total: 2,
    hasMore: false,
  });
  assert.deepEqual(complete(["b", "a"], " ").values, ["b", "a"]);
});

test("tokens are counted within a quarter of what a tokenizer (o200k) makes of each language", () => {
  const counted: [text: string, tokens: number][] = [
    ["The service retries a failed payment once a day. Why not more often? See `docs/retries.md`.", 22],
    ["El servicio reintenta un pago fallido una vez al día; después avisa a quien está de guardia.", 24],
    ["決済サービスは失敗した支払いを一日に一度だけ再試行し、その後は担当者に通知する。", 28],
    [
      "支付网关返回超时错误时，服务会把请求写入重试队列，最多重试三次，间隔逐次翻倍；仍然失败则标记为人工处理。",
      43,
    ],
    ["결제 서비스는 실패한 결제를 하루에 한 번만 다시 시도하고 그다음 담당자에게 알린다.", 27],
  ];
  for (const [text, tokens] of counted)
    assert.ok(Math.abs(countTokens(text) / tokens - 1) < 0.25, `${countTokens(text)} for ${tokens}: ${text}`);
});
