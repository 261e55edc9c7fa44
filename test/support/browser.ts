import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { TestContext } from "node:test";
import { temporaryFolder } from "./workspace.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser of this machine; undefined where there is none. */
export function findBrowser(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ["--version"]).status === 0);
}

type Params = Record<string, unknown>;

/** One page of a headless Chromium, over its DevTools protocol. */
export interface Page {
  send(method: string, params?: Params): Promise<Params>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Resolves when the page that `act` leads to has been loaded. */
  loaded(act: () => Promise<unknown>): Promise<void>;
  /** Resolves when a page of this title is there, however many others come before it. */
  arrived(title: string): Promise<void>;
  press(key: string): Promise<void>;
  type(text: string): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  result?: Params;
  error?: { message: string };
}

/** The protocol over pipes: JSON texts, each ended by a zero byte. */
function speak(child: ChildProcess) {
  const [, , , toBrowser, fromBrowser] = child.stdio as unknown as [0, 0, 0, Writable, Readable];
  const waiting = new Map<number, { done: (result: Params) => void; failed: (error: Error) => void }>();
  const listeners = new Set<(message: Message) => void>();
  let [rest, last] = ["", 0];
  fromBrowser.setEncoding("utf8").on("data", (chunk: string) => {
    const texts = (rest + chunk).split("\0");
    rest = texts.pop() ?? "";
    for (const message of texts.map((text) => JSON.parse(text) as Message)) {
      for (const listener of listeners) listener(message);
      const call = waiting.get(message.id ?? 0);
      if (message.error === undefined) call?.done(message.result ?? {});
      else call?.failed(new Error(message.error.message));
    }
  });
  child.once("close", () => {
    for (const { failed } of waiting.values()) failed(new Error("the browser ended"));
  });
  const send = (method: string, params: Params = {}, sessionId?: string) =>
    new Promise<Params>((done, failed) => {
      waiting.set(++last, { done, failed });
      toBrowser.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
  return { send, listeners };
}

const KEYS: Record<string, Params> = {
  Tab: { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 },
  Enter: { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" },
  ArrowDown: { key: "ArrowDown", code: "ArrowDown", windowsVirtualKeyCode: 40 },
};

/** Opens an empty page in a browser that ends with the test. */
export async function openPage(t: TestContext, browser: string): Promise<Page> {
  const args = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-pipe",
    "--disable-dev-shm-usage",
  ];
  const child = spawn(browser, [...args, `--user-data-dir=${temporaryFolder(t)}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  t.after(async () => {
    const ended = new Promise((done) => child.once("close", done));
    child.kill("SIGKILL");
    await ended;
  });
  const { send: sendRaw, listeners } = speak(child);
  const { targetId } = await sendRaw("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await sendRaw("Target.attachToTarget", { targetId, flatten: true });
  const send: Page["send"] = (method, params) => sendRaw(method, params, String(sessionId));
  await send("Page.enable");
  const page: Page = {
    send,
    evaluate: async <T>(expression: string) => {
      const { result } = (await send("Runtime.evaluate", { expression, returnByValue: true })) as {
        result: { value: T };
      };
      return result.value;
    },
    loaded: async (act) => {
      const event = nextLoad(listeners);
      await act();
      await event;
    },
    arrived: async (title) => {
      for (;;) {
        const event = nextLoad(listeners);
        // While the browser is between two pages there is none to ask.
        if ((await page.evaluate<string>("document.title").catch(() => "")) === title) return;
        await event;
      }
    },
    press: async (key) => {
      await send("Input.dispatchKeyEvent", { type: "keyDown", ...KEYS[key] });
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...KEYS[key] });
    },
    type: async (text) => void (await send("Input.insertText", { text })),
  };
  return page;
}

function nextLoad(listeners: Set<(message: Message) => void>): Promise<void> {
  return new Promise((done) => {
    const listener = ({ method }: Message) => {
      if (method !== "Page.loadEventFired") return;
      listeners.delete(listener);
      done();
    };
    listeners.add(listener);
  });
}
