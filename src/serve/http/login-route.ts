import type { Route } from "./context.ts";
import { refusal, sendJson } from "./exchange.ts";
import { isOwnPage } from "./guard.ts";

/** The page exchanges the token that a person typed for one of its own: what it does with that, a person does. */
export const LOGIN: Route = {
  methods: ["POST"],
  serve: ({ config }, { access: { pageToken }, request, response }) => {
    if (pageToken === undefined || !isOwnPage(request, config))
      throw refusal(403, "Only the page of this server logs in here.");
    sendJson(response, 200, { body: { token: pageToken } });
  },
};
