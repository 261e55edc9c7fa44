import { DEEDS, populate } from "./outside.ts";
import { randomFrom } from "./runs.ts";

/** A separate process that changes a workspace again and again: `root documents deeds`. */
const [root = "", documents, deeds] = process.argv.slice(2);
const outside = populate(root, Number(documents), randomFrom(11));
const kinds = Object.values(DEEDS);
for (let n = 0; n < Number(deeds); n++) {
  const deed =
    outside.words.size < 20 ? DEEDS["a new document"] : kinds[Math.floor(outside.random() * kinds.length)];
  deed?.(outside);
}
