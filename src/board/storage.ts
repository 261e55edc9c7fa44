/** Keeps texts for this server's address: until the tab is closed, and in this browser. */
export const [tabStorage, browserStorage] = [
  openStorage(() => sessionStorage),
  openStorage(() => localStorage),
];

type Texts = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Where a browser refuses, or has no room, texts are kept until the page is left. */
function openStorage(open: () => Storage): Texts {
  const texts = new Map<string, string>();
  const attempt = <T>(act: (storage: Storage) => T): T | undefined => {
    try {
      return act(open());
    } catch {
      return undefined;
    }
  };
  return {
    getItem: (key) => texts.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem: (key, text) => {
      texts.set(key, text);
      attempt((storage) => {
        storage.setItem(key, text);
        texts.delete(key);
      });
    },
    removeItem: (key) => {
      texts.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
  };
}

/** What is kept as JSON. Extensions and other versions of the page write there too: the caller checks what it uses. */
export function readKept(storage: Texts, key: string): unknown {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}
