import type { DiffLine } from "./text.ts";

/** Lines of a difference; the sign before each says the same as its color. */
export function Diff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section class="diff" aria-label={label} tabIndex={0}>
      <pre>
        {lines.map(({ mark, text }, at) => (
          <div key={at} class={CLASSES[mark]}>
            {SIGNS[mark]}
            {text}
          </div>
        ))}
      </pre>
    </section>
  );
}

const CLASSES = { " ": "", "-": "diff-gone", "+": "diff-new", "@": "diff-place" } as const;
const SIGNS = { " ": "  ", "-": "− ", "+": "+ ", "@": "" } as const;
