import "./style.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { enter } from "./connection.ts";
import { language } from "./language.ts";

document.documentElement.lang = language;
render(<App />, document.body);
enter();
