import type { ComponentChildren } from "preact";

interface PanelProps {
  title: string;
  /** What stands beside the title. */
  aside?: ComponentChildren;
  class?: string;
  /** It holds links. */
  isNavigation?: boolean;
  children: ComponentChildren;
}

/** A part of a view. */
export function Panel({ title, aside, class: more = "", isNavigation = false, children }: PanelProps) {
  const Box = isNavigation ? "nav" : "section";
  return (
    <Box class={`panel ${more}`} aria-label={title}>
      <h2>
        {title} {aside}
      </h2>
      {children}
    </Box>
  );
}
