import { language } from "./language.ts";
import "./style.css";
import { render } from "preact";
import { followActivity } from "./activity/store.ts";
import { App } from "./app.tsx";
import { startClock } from "./clock.ts";
import { enter } from "./connection.ts";
import { showTheme } from "./preferences.ts";

document.documentElement.lang = language;
showTheme();
render(<App />, document.body);
followActivity();
startClock();
enter();
