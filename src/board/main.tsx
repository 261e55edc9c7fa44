import { language } from "./language.ts";
import "./style.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { enter } from "./connection.ts";

document.documentElement.lang = language;
render(<App />, document.body);
enter();
