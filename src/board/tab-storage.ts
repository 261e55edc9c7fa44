/** Keeps texts until the tab is closed; in a browser that refuses cookies and with them this, until the page is left. */
export const tabStorage = openStorage();

function openStorage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  try {
    return sessionStorage;
  } catch {
    const texts = new Map<string, string>();
    return {
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, text),
      removeItem: (key) => void texts.delete(key),
    };
  }
}
