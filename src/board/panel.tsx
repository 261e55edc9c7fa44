import type { ComponentChildren } from "preact";

interface PanelProps {
  title: string;
  /** What stands beside the title. */
  aside?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** A part of a view. */
export function Panel({ title, aside, class: more = "", children }: PanelProps) {
  return (
    <section class={`panel ${more}`} aria-label={title}>
      <h2>
        {title} {aside}
      </h2>
      {children}
    </section>
  );
}
