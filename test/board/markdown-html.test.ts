import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf, toHtml } from "../../src/board/markdown/html.ts";
import { linkTarget, pictureTarget, wikiTarget } from "../../src/board/markdown/links.ts";

const html = (text: string) => toHtml(text, { footnotes: "Footnotes", back: "Back" });

const RUN = "window.__xss=1";

const HOSTILE = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}">`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<a href="javascript:${RUN}">x</a>`,
  `[x](javascript:${RUN})`,
  `[x](JaVaScRiPt:${RUN})`,
  `[x](java&#x0A;script:${RUN})`,
  `[x](java&Tab;script:${RUN})`,
  `[x](&#106;avascript:${RUN})`,
  `[x](&#x6A&#x61;vascript:${RUN})`,
  `[x](javascript&colon;${RUN})`,
  `[x](<java\tscript:${RUN}>)`,
  `[x](<\u0001javascript:${RUN}>)`,
  `[x]( javascript:${RUN})`,
  `[x](data:text/html,<script>${RUN}</script>)`,
  "[x](data:text/html;base64,PHNjcmlwdD4=)",
  "[x](vbscript:msgbox)",
  "[x](file:///etc/passwd)",
  "[x](blob:https://evil.example/1)",
  `[x](x.md "a\\" onmouseover=${RUN}")`,
  `[r]: javascript:${RUN}\n\n[r]`,
  `<javascript:${RUN}>`,
  `<data:text/html,${RUN}>`,
  `![x](javascript:${RUN})`,
  `![x" onerror="${RUN}](x.png)`,
  "![x](https://evil.example/x.png)",
  `[[x" onmouseover="${RUN}|y]]`,
  `[[javascript:${RUN}]]`,
  `[[<img src=x onerror=${RUN}>]]`,
  `![[x.png|<svg onload=${RUN}>]]`,
  `\`\`\`"><img src=x onerror=${RUN}>\ncode\n\`\`\``,
  `\`\`\`html onload=${RUN}\n<script>${RUN}</script>\n\`\`\``,
  `a[^"><img src=x onerror=${RUN}>]\n\n[^"><img src=x onerror=${RUN}>]: <script>${RUN}</script>`,
  `# <img src=x onerror=${RUN}> heading`,
  `- [ ] <img src=x onerror=${RUN}>`,
  `| <script>${RUN}</script> | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [y](javascript:${RUN}) |`,
  `<math><mtext></table><mglyph><style><img src=x onerror=${RUN}>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<form action="javascript:${RUN}"><button>b</button></form>`,
  '<base href="https://evil.example/">',
  `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
  '<style>@import "https://evil.example/x.css"</style>',
  `<object data="javascript:${RUN}"></object>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `https://evil.example/"onmouseover=${RUN}`,
];

/** What the parser itself writes. */
const TAGS = new Set(
  "a br code del em h1 h2 hr img input li ol p pre section strong sup table tbody td th thead tr ul".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  "align alt aria-describedby aria-label checked class data-at data-embed data-footnote-backref data-footnote-ref data-footnotes data-wiki disabled href id src start title type".split(
    " ",
  ),
);

for (const text of HOSTILE)
  test(`${JSON.stringify(text)} is text`, () => {
    const shown = html(text);
    const tags = [...shown.matchAll(/<([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>/g)];
    assert.equal(shown.match(/<(?!\/)/g)?.length ?? 0, tags.length, shown);
    for (const [, name = "", list = ""] of tags) {
      assert.ok(TAGS.has(name), shown);
      for (const [, attribute = "", value = ""] of list.matchAll(/\s([a-z-]+)="([^"]*)"/g)) {
        assert.ok(ATTRIBUTES.has(attribute), shown);
        if (attribute === "href" || attribute === "src")
          assert.doesNotMatch(value, /^\s*(?:javascript|data|vbscript|file|blob):/i);
      }
    }
  });

test("no address of a script, of data or of a file is a link, however it is written", () => {
  const hostile = [
    "javascript:x",
    "JAVASCRIPT:x",
    " javascript:x",
    "java\tscript:x",
    "java\nscript:x",
    "\u0001javascript:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a.example/1",
    "vscode://file/x",
    "//evil.example/a.md",
    "https:",
    "#",
    "",
    "?x",
    "src/code.ts",
  ];
  for (const href of hostile) assert.deepEqual(linkTarget(href), { kind: "text" }, JSON.stringify(href));
});

test("links lead to documents, to headings, to the web and to mail", () => {
  const link = (href: string, heading = "") => ({ kind: "link", link: `[](<${href}>)`, heading });
  const targets: [string, object][] = [
    ["../status.md", link("../status.md")],
    ["a%20b.md#The%20end", link("a%20b.md#The%20end", "The end")],
    ["50%.md", link("50%.md")],
    ["../../web/x.MD?raw", link("../../web/x.MD?raw")],
    ["../../../x.md", link("../../../x.md")],
    ["#steps", { kind: "here", heading: "steps" }],
    ["/references/a.md", link("/references/a.md")],
    ["https://example.com/a.md", { kind: "external", url: "https://example.com/a.md" }],
    ["mailto:a@example.com", { kind: "external", url: "mailto:a@example.com" }],
  ];
  for (const [href, target] of targets) assert.deepEqual(linkTarget(href), target, href);
});

test("a picture is one in the assets of a project, by the rule of links; no address is one", () => {
  const pictures: [written: string, ...paths: string[]][] = [
    ["![a](../assets/x.png)", "p/assets/x.png"],
    ["![](<../assets/deep/a%20b.SVG>)", "p/assets/deep/a b.SVG"],
    ["![](/assets/x.jpeg)", "p/assets/x.jpeg"],
    ["![](/q/assets/x.webp)", "q/assets/x.webp"],
    ["![[assets/x.gif|300]]", "p/assets/x.gif"],
    ["![[x.png]]", "p/assets/x.png"],
  ];
  for (const [written, ...paths] of pictures)
    assert.deepEqual(pictureTarget("p/notes/a.md", written)?.paths, paths, written);
  for (const written of [
    "![](x.png)",
    "![](../assets/x.md)",
    "![](../assets/x.html)",
    "![](../assets/png)",
    "![](../../../assets/x.png)",
    "![](../assets/../secret/x.png)",
    "![](https://example.com/assets/x.png)",
    "![](//example.com/p/assets/x.png)",
    "![](file:///p/assets/x.png)",
    "![](data:image/svg+xml,x.svg)",
    "![[x.md]]",
    "![[../x.png]]",
    "![[..]]",
    "",
  ])
    assert.equal(pictureTarget("p/notes/a.md", written), undefined, written);
});

test("a wikilink names a document, a heading and the text to show", () => {
  const shown = (inner: string, text: string, heading = "") =>
    assert.deepEqual(wikiTarget(inner), { target: { kind: "link", link: `[[${inner}]]`, heading }, text });
  shown("auth", "auth");
  shown("auth|Log in", "Log in");
  shown("auth\\|Log in", "Log in");
  shown("web/auth#The end", "web/auth › The end", "The end");
  assert.deepEqual(wikiTarget("#Steps").target, { kind: "here", heading: "Steps" });
});

test("wikilinks are links outside code, in tables too, and may look like emphasis", () => {
  assert.match(html("[[__init__]]"), /^<p><a data-wiki="__init__">__init__<\/a><\/p>$/);
  assert.match(html("see ![[a|b]]."), /see <a data-wiki="a\|b" data-embed>/);
  assert.match(html("| a |\n|---|\n| [[n\\|alias]] |"), /<td><a data-wiki="n\\\|alias">/);
  for (const text of [
    "`[[a]]`",
    "    [[a]]",
    "```\n[[a]]\n```",
    "\\[[a]]",
    "[[]]",
    "[[a\nb]]",
    "[[a",
    "[[a]",
  ])
    assert.doesNotMatch(html(text), /data-wiki/, text);
});

test("HTML is shown as text, comments are not", () => {
  assert.equal(html("a <b>c</b> <!-- hidden -->"), "<p>a &lt;b&gt;c&lt;/b&gt; </p>");
  assert.equal(html("<div>\nx\n</div>"), "<p>&lt;div&gt;\nx\n&lt;/div&gt;</p>");
  assert.doesNotMatch(html("<!-- a\n\nb -->\n\ntext"), /a|b/);
});

test("what a merge left is one block, with both sides as they are", () => {
  for (const ending of ["\n", "\r\n"]) {
    const text = "# A\n\n<<<<<<< laptop\nOne\n- [ ] x\n=======\nTwo\n>>>>>>> desk top\n- [ ] b\n".replaceAll(
      "\n",
      ending,
    );
    const shown = html(text).replaceAll(/\r/g, "");
    assert.match(shown, /^<h1>A<\/h1>\n<pre><code>One\n- \[ \] x\n=======\nTwo\n<\/code><\/pre>\n<ul/);
    assert.equal(Number(/data-at="(\d+)"/.exec(shown)?.[1]), text.lastIndexOf("]") - 1);
  }
  const inside = "<<<<<<< a\n<<<<<<<< b\nx\n========\n>>>>>>>> c\n=======\ny\n>>>>>>> d";
  assert.doesNotMatch(html(inside), /<(?:blockquote|h\d)/);
  assert.equal(html("```\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n```").match(/<pre>/g)?.length, 1);
});

test("a checkbox knows where its mark stands, with any line ending, nesting and tabs", () => {
  const texts = [
    "- [ ] a\n- [x] b",
    "# T\r\n\r\n1. [ ] a\r\n   - [X] b\r\n",
    "-\t[ ] a\n\n> - [x] quoted\n",
    "* [ ] a `[ ]` [ ]\n",
  ];
  for (const text of texts) {
    const places = [...html(text).matchAll(/data-at="(\d+)"/g)].map(([, at]) => Number(at));
    assert.ok(places.length > 0);
    for (const at of places) assert.match(text.slice(at - 1, at + 2), /^\[[ xX]\]$/);
  }
});

test("a long text is cut between blocks and reads like the whole", () => {
  const unit = "# A\n\nText with `code`.\n\n- [ ] a\n\n  more\n\n```md\n\n# no heading\n\n```\n\n1. x\n\n";
  const text = unit.repeat(800);
  const pieces = piecesOf(text);
  assert.ok(pieces.length > 2);
  assert.equal(pieces.map(({ start, end }) => text.slice(start, end)).join(""), text);
  const shown = html(text);
  assert.equal(shown.match(/<h1>A<\/h1>/g)?.length, 800);
  assert.equal(shown.match(/<pre>/g)?.length, 800);
  for (const [, at] of shown.matchAll(/data-at="(\d+)"/g))
    assert.equal(text.slice(Number(at) - 1, Number(at) + 2), "[ ]");
});
