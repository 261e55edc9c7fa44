import { useLayoutEffect, useRef } from "preact/hooks";

/** Gives the height of an element to the style of the page, which keeps other things out of its way. */
export function useHeight(name: string) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(name, `${current.offsetHeight}px`));
    observer.observe(current);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  }, []);
  return element;
}
