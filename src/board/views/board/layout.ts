/** How tasks may be shown instead of in columns. */
export const LAYOUTS = ["table", "dependencies"] as const;
export type LayoutName = (typeof LAYOUTS)[number];

export interface Layout {
  /** Undefined: in columns. */
  show: LayoutName | undefined;
  isCompact: boolean;
}

/** The layout in the parameters of an address. */
export function layoutOf({ show, cards }: Readonly<Record<string, string>>): Layout {
  return {
    show: LAYOUTS.find((one) => one === show),
    isCompact: cards === "compact",
  };
}
