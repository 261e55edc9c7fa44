import { type ProtocolEra, Server, type ServerOptions, type Transport } from "@modelcontextprotocol/server";
import { invalidParams, oldErrorCode } from "./error-boundary.ts";

/** `modern` from revision 2026-07-28 on: requests that stand alone. `legacy` before: a handshake, then a session. */
export type Era = ProtocolEra;

/** The one revision of the modern era. */
export const REVISION = "2026-07-28";

/** The SDK's server, with three of its answers changed, and turns. */
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

  /** The SDK would check the arguments of a tool first, and answers wrong params as a failure of the server, in JSON. */
  protected override _wrapHandler(...[method, handler]: Parameters<Server["_wrapHandler"]>) {
    const checked = method === "tools/call" ? handler : super._wrapHandler(method, handler);
    return async (...call: Parameters<typeof handler>) => {
      try {
        if (method.includes("/")) await this.#turn();
        return await checked(...call);
      } catch (error) {
        throw invalidParams(method, error);
      }
    };
  }
}
