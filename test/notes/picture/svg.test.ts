import assert from "node:assert/strict";
import { test } from "node:test";
import { svgProblem } from "../../../src/core/notes/picture/svg.ts";

const svg = (inner: string, attributes = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="100"${attributes}>${inner}</svg>`;
const times = (count: number, part: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => part(at)).join("");
const problemOf = (text: string, encoding: BufferEncoding = "utf8") =>
  svgProblem(Buffer.from(text, encoding));

/** Each level repeats the one before ten times. */
const nested = (name: string, reference: (id: string) => string) =>
  svg(
    `<${name} id="a0"><rect width="1" height="1"/></${name}>${times(9, (at) => `<${name} id="a${at + 1}">${times(10, () => reference(`a${at}`))}</${name}>`)}${reference("a9")}`,
  );

for (const [what, text] of Object.entries({
  "nested use": nested("g", (id) => `<use href="#${id}"/>`),
  "nested use by XLink": nested("g", (id) => `<use xlink:href="#${id}"/>`),
  "nested use with codes for letters": nested("g", (id) => `<use href="&#x23;&#97;${id.slice(1)}"/>`),
  "nested use with escapes of addresses": nested("g", (id) => `<use href="#%61${id.slice(1)}"/>`),
  "nested use of a prefix": nested(
    "g",
    (id) => `<s:use xmlns:s="http://www.w3.org/2000/svg" href=" #${id}"/>`,
  ),
  "nested symbols": nested("symbol", (id) => `<use href="#${id}"/>`),
  "nested patterns": nested("pattern", (id) => `<rect width="9" height="9" fill="url(#${id})"/>`),
  "few nested patterns": svg(
    times(
      4,
      (at) =>
        `<pattern id="p${at + 1}" width=".01" height=".01"><rect width="9" height="9" fill="url(#p${at})"/></pattern>`,
    ),
  ),
  "patterns by style": nested("pattern", (id) => `<rect style="stroke:red;fill: url( '#${id}' )"/>`),
  "patterns by an escaped name": nested("pattern", (id) => `<rect fill="u\\72l(#${id})"/>`),
  "patterns with codes for quotes": nested("pattern", (id) => `<rect fill="url(&quot;#${id}&quot;)"/>`),
  "nested masks": nested("mask", (id) => `<rect mask="url(#${id})"/>`),
  "nested clip paths": nested("clipPath", (id) => `<rect clip-path="url(#${id})"/>`),
  "nested markers": nested("marker", (id) => `<path d="M0 0L9 9" marker-end="url(#${id})"/>`),
  "a marker at each point": svg(
    `<marker id="m"><path d="M0 0"/></marker><path marker-mid="url(#m)" d="M0 0${times(99, () => "L1 1")}"/>`,
  ),
  "a chain of gradients": svg(times(5000, (at) => `<linearGradient id="g${at + 1}" href="#g${at}"/>`)),
  "a pattern for many": svg(
    `<pattern id="p"><rect/><rect/></pattern><g fill="url(#p)">${times(300, () => "<rect/>")}</g>`,
  ),
  "use of itself": svg('<g id="a"><use href="#a"/><use href="#a"/></g>'),
  "references in a style sheet": svg(
    '<style>rect { fill: url(#a) }</style><pattern id="a"><rect/></pattern>',
  ),
  "references hidden by a comment": svg("<style>rect { fill: ur<!-- -->l(#a) }</style><rect/>"),
  "references in CDATA": svg("<style><![CDATA[rect { fill: url( '#a') }]]></style><rect/>"),
  "escapes in a style sheet": svg("<style>rect { fill: u\\72l(#a) }</style><rect/>"),
  "a style sheet of its own": `<?xml-stylesheet href="data:text/css,rect{fill:url(%23a)}"?>${svg("<rect/>")}`,
  "an SVG in it": svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>'),
  "an SVG in it, spelled oddly": svg('<image href="da&#10;ta:image/svg+xml,%3Csvg/%3E"/>'),
  "a huge PNG in it": svg(`<image href="data:image/png;base64,${png(60_000, 60_000).toString("base64")}"/>`),
  "many filters": svg(
    `<filter id="f">${times(1100, () => '<feGaussianBlur stdDeviation="999"/>')}</filter><rect filter="url(#f)"/>`,
  ),
  noise: svg('<filter id="f"><feTurbulence numOctaves="99999999"/></filter><rect filter="url(#f)"/>'),
  "filters of a style": svg(times(1001, () => '<rect style="filter: blur(90px)"/>')),
  "filters of a style sheet": svg(`<style>* { filter: blur(90px) }</style>${times(1001, () => "<rect/>")}`),
  "tiny dashes": svg('<path stroke="red" stroke-dasharray=".00001" d="M0 0L100 100"/>'),
  "long dashed lines": svg(
    `<style>path { stroke-dasharray: 1 }</style>${times(100, () => '<path d="M0 0L99999 0"/>')}`,
  ),
  animation: svg('<rect><animate attributeName="x" to="9" dur="1s"/></rect>'),
  "a reference that is set later": svg('<use><set attributeName="href" to="#a"/></use>'),
  entities: `<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${svg("<text>&b;</text>")}`,
  "entities after a quoted bracket": `<!DOCTYPE svg SYSTEM "a>b" [<!ENTITY a "aaaa">]>${svg("<text>&a;</text>")}`,
  "attributes by default": `<!DOCTYPE svg SYSTEM "a>b" [<!ATTLIST use href CDATA "#a">]>${svg("<use/>")}`,
  "very many elements": svg(times(20_001, () => "<rect/>")),
  "very deep elements": svg(`${"<g>".repeat(1000)}<rect/>${"</g>".repeat(1000)}`),
  "an unclosed value": svg('<rect width="1'),
  "another encoding": `<?xml version="1.0" encoding="utf-7"?>${svg("")}`,
  "more than 2 MB": svg(" ".repeat(2 * 1024 * 1024)),
}))
  test(`an SVG with ${what} is refused with a reason`, () =>
    assert.match(String(problemOf(text)), /^(it|its|a) /));

test("an SVG in UTF-16 is refused", () => {
  assert.match(String(problemOf(`\uFEFF${svg("")}`, "utf16le")), /UTF-8/);
  assert.match(String(problemOf(svg(""), "utf16le")), /UTF-8/);
});

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const html = (text: string) =>
  `<foreignObject width="90" height="24"><div xmlns="http://www.w3.org/1999/xhtml" style="display: table-cell"><span class="nodeLabel"><p>${text}</p></span></div></foreignObject>`;

/** What programs that draw write. */
for (const [program, text] of Object.entries({
  mermaid: svg(
    `<style>#m{font-family:arial;fill:#333;}@keyframes dash{to{stroke-dashoffset:0;}}#m .edge-pattern-dotted{stroke-dasharray:2;}#m .marker{fill:#333333;}#m .flowchart-link{stroke:#333;fill:none;}</style>
<g><marker id="m_flowchart-pointEnd" class="marker" viewBox="0 0 10 10" refX="5" refY="5" markerUnits="userSpaceOnUse" orient="auto"><path d="M 0 0 L 10 5 L 0 10 z" class="arrowMarkerPath" style="stroke-width: 1; stroke-dasharray: 1, 0;"/></marker>
${times(60, (at) => `<g class="node"><rect class="label-container" x="-52" y="-27" width="104" height="54"/>${html(`Step ${at}`)}</g><path d="M58.195,62L58.195,66.167C58.195,70.333,58.195,78.667,58.195,86.333" class="flowchart-link" marker-end="url(#m_flowchart-pointEnd)"/>`)}</g>`,
    ' id="m" role="graphics-document document" style="max-width: 312px; background-color: white;"',
  ),
  excalidraw: svg(
    `<!-- svg-source:excalidraw --><defs><style class="style-fonts">@font-face { font-family: Virgil; src: url(data:font/woff2;base64,d09GMgABAAAAABg) }</style></defs><mask id="mask-1"><rect x="0" y="0" fill="#fff" width="100" height="100"/></mask>
<g mask="url(#mask-1)" stroke-linecap="round"><g transform="translate(10 10)"><path d="M0.39 0.54 C2.1 3.2, 8 9.5, 10 11" stroke="#1e1e1e" stroke-width="2" fill="none" stroke-dasharray="8 9"/></g></g><symbol id="image-1"><image width="100%" height="100%" href="data:image/png;base64,${png(200, 100).toString("base64")}"/></symbol><use href="#image-1" width="9" height="9"/>`,
  ),
  "draw.io": `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n${svg(
    `<defs/><g><rect x="0" y="0" width="120" height="60" fill="rgb(255, 255, 255)" pointer-events="all"/><g transform="translate(-0.5 -0.5)"><switch>${html("Start")}<text x="60" y="34">Start</text></switch></g><path d="M 60 60 L 60 93.63" stroke-dasharray="3 3"/></g>`,
    ' content="&lt;mxfile host=&quot;app&quot;&gt;&#10;a\\n url(#x)&lt;/mxfile&gt;"',
  )}`,
  Inkscape: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n${svg(
    `<sodipodi:namedview xmlns:sodipodi="http://sodipodi" id="base"/><defs id="d"><linearGradient id="linearGradient1"><stop style="stop-color:#f00;stop-opacity:1;" offset="0"/><stop offset="1"/></linearGradient><linearGradient xlink:href="#linearGradient1" id="linearGradient2" x1="1" x2="9"/><filter id="f"><feGaussianBlur stdDeviation="2.4"/></filter><clipPath id="c"><rect width="9" height="9"/></clipPath></defs><g id="layer1" clip-path="url(#c)"><path style="fill:url(#linearGradient2);filter:url(#f)" d="m 10,10 h 20 v 20 z"/></g>`,
  )}`,
  Graphviz: `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n<!-- Generated by graphviz -->\n${svg(
    times(
      500,
      (at) =>
        `<g id="node${at}" class="node"><title>n${at} &#45;&gt;</title><a xlink:href="#"><polygon points="54,-36 0,-36 0,0 54,0"/></a><text x="27">n${at}</text></g>`,
    ),
  )}`,
  Matplotlib: `<?xml version="1.0" encoding="utf-8" standalone="no"?>\n${svg(
    `<defs><style type="text/css">*{stroke-linejoin: round; stroke-linecap: butt}</style></defs><g id="figure_1"><defs><path id="m1" d="M 0 3 C 0.79 3 1.55 2.68 2.12 2.12 z"/><path id="DejaVuSans-30" d="M 2034 4250 Q 1547 4250 1301 3770 z" transform="scale(0.015625)"/></defs><g clip-path="url(#p1)">${times(1000, (at) => `<use xlink:href="#m1" x="${at}" y="${at}" style="fill: #1f77b4"/>`)}</g>${times(99, () => '<g><path d="M 57.6 307.584 L 57.6 41.472" clip-path="url(#p1)" style="fill: none; stroke-dasharray: 3.7,1.6"/><use xlink:href="#DejaVuSans-30"/></g>')}</g><defs><clipPath id="p1"><rect x="57.6" y="41.472" width="357.12" height="266.112"/></clipPath></defs>`,
  )}`,
  Figma: svg(
    `<g filter="url(#filter0_d)"><rect width="90" height="40" rx="8" fill="url(#paint0)"/></g><defs><filter id="filter0_d" filterUnits="userSpaceOnUse"><feFlood flood-opacity="0" result="b"/><feColorMatrix in="SourceAlpha" type="matrix" values="0 0 0 0 0"/><feOffset dy="4"/><feGaussianBlur stdDeviation="2"/><feBlend in2="b"/></filter><linearGradient id="paint0"><stop stop-color="#fff"/></linearGradient></defs>`,
  ),
  "a person, with what does not run": svg(
    '<script>fetch("https://example.org/")</script><image xlink:href="https://example.org/a.png"/><style>@import "https://example.org/a.css"; rect { fill: url("https://example.org/b#c") }</style><use href="https://example.org/#a"/><rect onload="x()"/>',
  ),
}))
  test(`an SVG of ${program} is shown`, () => assert.equal(problemOf(text), undefined));

test("an SVG is judged in time that grows with its length", { timeout: 60_000 }, () => {
  for (const part of [
    "<a ",
    '"',
    "<",
    "&#",
    "<!--",
    "data:image/png;base64,",
    "url(",
    "stroke-dasharray:1 ",
  ]) {
    problemOf(svg(part.repeat(2_000_000 / part.length)));
    problemOf(svg(`<a ${part.repeat(2_000_000 / part.length)}`));
  }
});
