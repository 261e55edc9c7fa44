/** A name for the parameters of an address of the board. */
export interface SavedView {
  name: string;
  query: string;
}

/** The parameters in one order, so that the same view has the same text. */
export function viewQuery(parameters: Readonly<Record<string, string>>): string {
  const filled = Object.entries(parameters).filter(([, value]) => value !== "");
  const query = new URLSearchParams(filled);
  query.sort();
  return query.toString();
}

/** What the browser kept; nothing if that is something else. */
export function readViews(text: string | null): SavedView[] {
  try {
    const views: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(views) ? views.filter(isView) : [];
  } catch {
    // Another program wrote it.
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof query === "string";
}

/** A view of the same name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view];
}
