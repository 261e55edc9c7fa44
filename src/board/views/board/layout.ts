/** How tasks may be shown instead of in columns. */
export const LAYOUTS = ["table", "dependencies"] as const;
export type LayoutName = (typeof LAYOUTS)[number];

/** The layout in an address; undefined: in columns. */
export function layoutOf(text: string | undefined): LayoutName | undefined {
  return LAYOUTS.find((one) => one === text);
}
