import { taskName } from "../core/notes/names.ts";
import { words } from "./language.ts";
import { announce } from "./notices.ts";
import { navigate } from "./route.ts";
import { state } from "./state.ts";
import { browserStorage } from "./storage.ts";
import { waitsForYou } from "./views/today/groups.ts";

const KEPT = "vibe-mcp-notice";

/** Whether this browser says what waits while no one sees the page. */
export function isNoticed(): boolean {
  return browserStorage.getItem(KEPT) !== null;
}

/** Asks the browser, which asks the person; undefined if it refuses. */
export async function chooseNotice(isOn: boolean): Promise<boolean | undefined> {
  browserStorage.removeItem(KEPT);
  if (!isOn) return false;
  if (!("Notification" in window) || (await Notification.requestPermission()) !== "granted") return undefined;
  browserStorage.setItem(KEPT, "on");
  return true;
}

let known: readonly string[] | undefined;

state.follow(() => {
  const { tasks, hasTasks } = state.get();
  if (!hasTasks) return;
  const waiting = [...tasks.values()].flat().filter(waitsForYou);
  const fresh = waiting.filter(({ path }) => known?.includes(path) === false);
  known = waiting.map(({ path }) => path);
  if (fresh[0] !== undefined && document.hidden && isNoticed()) show(fresh.map(taskName), fresh[0].path);
});

function show(names: readonly string[], path: string): void {
  try {
    // By their tag, two tabs show one.
    const notice = new Notification(words.today.you, { body: names.join("\n"), tag: path });
    notice.onclick = () => {
      window.focus();
      navigate("inbox", { task: path });
    };
  } catch {
    // Browsers of phones show none for a page.
    browserStorage.removeItem(KEPT);
    announce(words.settings.noNotice, true);
  }
}
