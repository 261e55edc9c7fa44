import { register } from "node:module";

/** `node --import ./scripts/sqljs/hook.mjs`: whatever imports our engine gets the one on sql.js. */
register("./resolve.mjs", import.meta.url);
