/** How much history stays; `on` says whether changes are recorded. */
export interface HistoryBounds {
  on: boolean;
  days: number;
  bytes: number;
}

export const DEFAULT_HISTORY = "90d,200MB";

export const DEFAULT_BOUNDS: HistoryBounds = { on: true, days: 90, bytes: 200 * 2 ** 20 };

const UNITS: Record<string, number> = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };
const MAX_DAYS = 36_500;

/** `90d,200MB`, only one of the two, or `off`; undefined for anything else. */
export function parseHistory(text: string): HistoryBounds | undefined {
  const bounds = { ...DEFAULT_BOUNDS };
  if (text.trim().toLowerCase() === "off") return { ...bounds, on: false };
  for (const part of text.split(",")) {
    const [, number = "", unit = ""] = /^\s*([1-9]\d{0,8})\s*(d|kb|mb|gb)\s*$/i.exec(part) ?? [];
    const factor = UNITS[unit.toLowerCase()];
    if (number === "" || (factor === undefined && Number(number) > MAX_DAYS)) return undefined;
    if (factor === undefined) bounds.days = Number(number);
    else bounds.bytes = Number(number) * factor;
  }
  return bounds;
}
