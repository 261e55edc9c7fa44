import { type FootnoteWords, toHtml } from "./html.ts";

/** What the page asks for. */
export interface Question {
  text: string;
  words: FootnoteWords;
}

addEventListener("message", ({ data: { text, words } }: MessageEvent<Question>) =>
  postMessage(toHtml(text, words)),
);
