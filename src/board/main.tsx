import { language } from "./language.ts";
import "./style.css";
import { render } from "preact";
import { followActivity } from "./activity/store.ts";
import { App } from "./app.tsx";
import { startClock } from "./clock.ts";
import { enter } from "./connection.ts";
import { followTheme } from "./preferences.ts";
import "./print.css";

document.documentElement.lang = language;
followTheme();
// First, so that the server works while the page renders.
enter();
render(<App />, document.body);
followActivity();
startClock();
