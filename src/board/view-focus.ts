/** Focuses what a view starts with: its main field, else its heading, so that screen readers read where they are. */
export function focusView(): void {
  const main = document.getElementById("content");
  const start =
    main?.querySelector<HTMLElement>("[data-start]") ?? main?.querySelector<HTMLElement>("h1") ?? main;
  if (start?.tagName === "H1") start.tabIndex = -1;
  start?.focus({ preventScroll: true });
}
