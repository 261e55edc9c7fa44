import { type ProtocolEra, Server, type ServerOptions, type Transport } from "@modelcontextprotocol/server";
import { invalidParams, oldErrorCode } from "./error-boundary.ts";

/** `modern` from revision 2026-07-28 on: requests that stand alone. `legacy` before: a handshake, then a session. */
export type Era = ProtocolEra;

/** The one revision of the modern era. */
export const REVISION = "2026-07-28";

/** The SDK's server, with some of its answers changed, and turns. */
export class ProtocolServer extends Server {
  readonly #era: Era;
  readonly #turn: () => Promise<void>;

  /** Each request about the workspace waits for its `turn`. */
  constructor(
    info: { name: string; title: string; version: string },
    options: ServerOptions & { era: Era; turn: () => Promise<void> },
  ) {
    super(info, options);
    this.#era = options.era;
    this.#turn = options.turn;
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
   * The SDK would check the arguments of a tool first, refuses null for what is left out, and answers wrong params as a failure of
   * the server, in JSON.
   */
  protected override _wrapHandler(...[method, handler]: Parameters<Server["_wrapHandler"]>) {
    const checked = method === "tools/call" ? handler : super._wrapHandler(method, handler);
    return async (...[request, context]: Parameters<typeof handler>) => {
      try {
        if (method.includes("/")) await this.#turn();
        return await checked({ ...request, params: givenParams(request.params) }, context);
      } catch (error) {
        throw invalidParams(method, error);
      }
    };
  }
}

/** Many clients send null, and for a cursor "", for what they leave out. */
function givenParams<Params extends object | undefined>(params: Params): Params {
  const given = Object.entries(params ?? {}).filter(
    ([name, value]) => value !== null && !(name === "cursor" && value === ""),
  );
  return params && (Object.fromEntries(given) as Params);
}
