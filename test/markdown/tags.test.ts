import assert from "node:assert/strict";
import { test } from "node:test";
import { tagsIn } from "../../src/core/markdown/tags.ts";

const CASES: [text: string, tags: string][] = [
  ["#api first, then #db, (#no) x#no and #area/api.", "#api #db #area/api"],
  [
    "#API #snake_case #kebab-case #2026-q1 #2024/05 #y1984 #1st",
    "#API #snake_case #kebab-case #2026-q1 #2024/05 #y1984 #1st",
  ],
  ["#認証、#no #한글 #café #cafe\u0301 #हिन्दी #العربية", "#認証 #한글 #café #cafe\u0301 #हिन्दी #العربية"],
  ["#123 #12/ #1.5 # #- #/components/x ## #!no \\#no &#35;no", ""],
  ["#fff #FFFFFF #a1b2c3 #f00 #0af #a1b2c3d4 #12ab34", ""],
  ["#add #facade #e2e #b2b #fffff #a1b2 #a1b2c3d", "#add #facade #e2e #b2b #fffff #a1b2 #a1b2c3d"],
  ['`#no` ``a #no`` <b title=" #no"> <!-- #no --> #yes', "#yes"],
  ["```\n#no\n```\n\n    #no\n\n<pre>\n #no\n</pre>\n\n<!--\n #no\n-->\n#yes", "#yes"],
  ["%% #no %% #yes\n\n%%\n#no\n\n- #no\n%%\n\n#too %% #open", "#yes #too #open"],
  ["`%%` #yes `%%`", "#yes"],
  ['[[ #no]] [[a|b #no]] ![[a#no]] [a](#no) [a](<b #no>) [a](b.md " #no") https://a.b/#no #yes', "#yes"],
  ["[a]: #no\n[b]: <c.md> ' #no'\n#yes", "#yes"],
  ["# Title #title\n## Setup { #no }\nUnder #under\n---\n#heading", "#title #under #heading"],
  [
    "> [!note] #callout\n> #quote\n\n- #item\n- [ ] do it #step 📅 2026-12-01\n\n| #head | x |\n|--|--|\n| a | #cell |",
    "#callout #quote #item #step #head #cell",
  ],
  ["#a/ #a/b/ #trailing, #dot. #quote's", "#a #a/b #trailing #dot #quote"],
];

test("tags are words behind a sign in running text", () => {
  for (const [text, tags] of CASES) {
    const block = "---\ntags: x #no\n---\n";
    for (const form of [text, text.replaceAll("\n", "\r\n")]) {
      const found = tagsIn(block + form, block.length);
      assert.equal(found.map((one) => one.text).join(" "), tags, text);
      for (const { text: tag, start, end } of found) assert.equal((block + form).slice(start, end), tag);
    }
  }
});
