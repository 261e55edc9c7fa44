import { SIGNED } from "../../core/lib/page.ts";
import { type Credentials, digestOf, findCredential, sign } from "./authenticate.ts";
import { readBody } from "./body.ts";
import type { Route, Routes } from "./context.ts";
import { refusal, sendJson } from "./exchange.ts";
import { countFailedLogin } from "./limits.ts";

const MAX_BODY_BYTES = 200;

/** How the page gets a pass for this run of the server; see `SIGNED`. */
export function pageLoginRoutes(credentials: Credentials): Routes {
  return { "/login": loginRoute(credentials), "/key": keyRoute(credentials) };
}

/** The page posts a nonce and signs it, and the server signs it in turn: each knows then that the other has the key. */
function loginRoute(credentials: Credentials): Route {
  return {
    methods: ["POST"],
    open: true,
    serve: async ({ failedLogin }, { request, response, address }) => {
      const [nonce = "", signed] = (await readBody(request, MAX_BODY_BYTES)).toString().split(" ");
      const expected = credentials().map(({ page: { key, run } }) => {
        return { key, run, digest: digestOf(sign(key, SIGNED.page(nonce))) };
      });
      const found = findCredential(expected, signed);
      if (found === undefined) {
        countFailedLogin(failedLogin, address);
        throw refusal(401, "No token of this server signed this.");
      }
      const { key, run } = found;
      sendJson(response, 200, { body: { run, signed: sign(key, SIGNED.server(nonce, run)) } });
    },
  };
}

/** A page that was loaded again has only the pass of this run. With the key, it gets the pass of the next. */
function keyRoute(credentials: Credentials): Route {
  return {
    methods: ["POST"],
    serve: (_context, { access, response }) => {
      const found = credentials().find(({ principal }) => principal === access.principal);
      if (found === undefined) throw refusal(403, "Only a token has a key.");
      sendJson(response, 200, { body: { key: found.page.key } });
    },
  };
}
