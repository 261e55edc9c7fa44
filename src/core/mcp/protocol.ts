import {
  type ProtocolEra,
  Server,
  type ServerOptions,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "@modelcontextprotocol/server";
import { ABOUT, ICON } from "../config/about.ts";
import { fieldsOf } from "../lib/fields.ts";
import { invalidParams, oldErrorCode } from "./error-boundary.ts";

/** `modern` from revision 2026-07-28 on: requests that stand alone. `legacy` before: a handshake, then a session. */
export type Era = ProtocolEra;

/** The one revision of the modern era. */
export const REVISION = "2026-07-28";

/** The SDK's server, with some of its answers changed, and turns. */
export class ProtocolServer extends Server {
  readonly #era: Era;
  readonly #turn: () => Promise<void>;
  readonly #extensions: readonly string[];
  readonly #info: object;

  /** Each request about the workspace waits for its `turn`; each of the `extensions` is declared to clients that know it. */
  constructor(
    info: { name: string; title: string; version: string },
    options: ServerOptions & { era: Era; turn: () => Promise<void>; extensions: readonly string[] },
  ) {
    super(info, options);
    this.#era = options.era;
    this.#turn = options.turn;
    this.#extensions = options.extensions;
    this.#info = info;
  }

  /** The SDK gives a missing resource the newest revision's code in both eras. */
  override connect(transport: Transport): Promise<void> {
    if (this.#era === "legacy") {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => send(oldErrorCode(message), options);
    }
    return super.connect(transport);
  }

  /**
   * What the server says of itself, with the extensions that the client knows, and what only that answer holds: later ones of the newest
   * revision repeat its name. Older revisions, which the SDK leaves out, begin with `initialize`.
   */
  #introduced<Result extends object>(result: Result, client: unknown): Result {
    if (!("capabilities" in result)) return result;
    const known = fieldsOf(fieldsOf(client)["extensions"]);
    const both = this.#extensions.filter((name) => Object.hasOwn(known, name));
    const extensions = both.length > 0 && { extensions: Object.fromEntries(both.map((name) => [name, {}])) };
    const capabilities = { ...fieldsOf(result.capabilities), ...extensions };
    const info = { ...this.#info, ...ABOUT_SERVER };
    return "serverInfo" in result
      ? { ...result, capabilities, serverInfo: info }
      : {
          ...result,
          capabilities,
          supportedVersions: [REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
          _meta: { [INFO]: info },
        };
  }

  /**
   * The SDK would check the arguments of a tool first, refuses null for what is left out, and answers wrong params as a failure of
   * the server, in JSON.
   */
  protected override _wrapHandler(...[method, handler]: Parameters<Server["_wrapHandler"]>) {
    const checked = method === "tools/call" ? handler : super._wrapHandler(method, handler);
    return async (...[request, context]: Parameters<typeof handler>) => {
      try {
        if (method.includes("/")) await this.#turn();
        const result = await checked({ ...request, params: givenParams(request.params) }, context);
        return this.#introduced(
          result,
          request.params?.["capabilities"] ?? fieldsOf(context.mcpReq.envelope)[CAPABILITIES],
        );
      } catch (error) {
        throw invalidParams(method, error);
      }
    };
  }
}

const ABOUT_SERVER = {
  description: ABOUT.description,
  websiteUrl: ABOUT.homepage,
  icons: [{ src: ICON, mimeType: "image/svg+xml", sizes: ["any"] }],
};
const INFO = "io.modelcontextprotocol/serverInfo";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

/** Many clients send null, and for a cursor "", for what they leave out. */
function givenParams<Params extends object | undefined>(params: Params): Params {
  const given = Object.entries(params ?? {}).filter(
    ([name, value]) => value !== null && !(name === "cursor" && value === ""),
  );
  return params && (Object.fromEntries(given) as Params);
}
