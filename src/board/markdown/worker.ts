import { toHtml } from "./html.ts";
import { words } from "./words.ts";

addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(toHtml(data, words)));
