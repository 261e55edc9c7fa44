import "./style.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { language } from "./language.ts";
import { start } from "./state.ts";

document.documentElement.lang = language;
render(<App />, document.body);
start();
