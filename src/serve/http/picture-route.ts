import { UserError } from "../../core/lib/errors.ts";
import { PAGE_CLIENT } from "../../core/lib/page.ts";
import { MAX_PICTURE_BYTES } from "../../core/notes/pictures.ts";
import { addPicture } from "../../core/workspace/pictures.ts";
import { readBody } from "./body.ts";
import type { Route } from "./context.ts";
import { refusal, sendJson } from "./exchange.ts";

/** The page adds a picture, the body, to the project that the query names. */
export const PICTURE: Route = {
  methods: ["POST"],
  serve: async ({ notes: { workspace }, bodies }, { access, request, response, query }) => {
    if (access.readOnly) throw refusal(403, "This token may only read.");
    const bytes = await readBody(request, MAX_PICTURE_BYTES, (refuse) => {
      const body = bodies.open(access.principal, refuse);
      response.once("close", body.close);
      return body;
    });
    const changes: string[] = [];
    const onChange = ({ id }: { id: string }) => void changes.push(id);
    const { isPerson = false, token } = access;
    const actor = { tool: "picture", client: PAGE_CLIENT, isPerson, token, onChange };
    const picture = { name: query.get("name") ?? "", bytes };
    const add = () => addPicture(workspace, query.get("project") ?? "", picture);
    const path = await workspace.history.acting(actor, add).catch((error: unknown) => {
      throw error instanceof UserError ? refusal(409, error.message) : error;
    });
    sendJson(response, 200, { body: { path, changes } });
  },
};
