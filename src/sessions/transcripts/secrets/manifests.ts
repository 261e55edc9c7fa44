import { MASK } from "./mask.ts";

const KIND = /["']?\bkind["']?:\s{0,5}["']?Secret\b/;
const BLOCK = /^( *)(?:data|stringData):[ \t]*\r?\n(?:\1 +.*(?:\n|$))+/gm;
const ENTRY = /^(\s*[\w.-]{1,200}: +)[^\s|>].*$/gm;
const OBJECT = /("(?:data|stringData)":\s{0,5}\{)([^{}]{1,20000})\}/g;

/** All values of a Secret of Kubernetes: their names may say nothing. */
export function maskManifests(text: string): string {
  return text
    .split(/^(?=---)/m)
    .map((manifest) => (KIND.test(manifest) ? maskData(manifest) : manifest))
    .join("");
}

function maskData(manifest: string): string {
  return manifest
    .replace(BLOCK, (block) => block.replace(ENTRY, `$1${MASK}`))
    .replace(OBJECT, (_, opening: string, entries: string) => {
      return `${opening}${entries.replace(/(:\s{0,5})"[^"]{1,4000}"/g, `$1"${MASK}"`)}}`;
    });
}
