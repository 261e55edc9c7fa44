import type { Route } from "./context.ts";
import { refusal, sendJson } from "./exchange.ts";

/** The page asks for example notes while the workspace has no project; `add` writes them. */
export function exampleRoute(add: () => Promise<unknown>): Route {
  return {
    methods: ["POST"],
    serve: async ({ notes }, { access, response }) => {
      if (access.readOnly) throw refusal(403, "This token may only read.");
      if (access.projects) throw refusal(403, "This token sees some projects, and makes none.");
      if (notes.workspace.projectNames().length > 0)
        throw refusal(409, "The workspace has projects already.");
      await add();
      sendJson(response, 200, { body: {} });
    },
  };
}
