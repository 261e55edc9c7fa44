/** Keeps texts for this server's address: until the tab is closed, and in this browser. */
export const [tabStorage, browserStorage] = [
  openStorage(() => sessionStorage),
  openStorage(() => localStorage),
];

/** In a browser that refuses cookies and with them this, texts are kept until the page is left. */
function openStorage(open: () => Storage): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    return open();
  } catch {
    const texts = new Map<string, string>();
    return {
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, text),
      removeItem: (key) => void texts.delete(key),
    };
  }
}
