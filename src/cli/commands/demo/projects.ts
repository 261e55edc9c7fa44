import { kiroku } from "./kiroku.ts";
import { paymentsApi } from "./payments-api.ts";
import { tiendaCeramica } from "./tienda-ceramica.ts";

/** The example notes. The bundler replaces this module by one that holds them compressed. */
export const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "payments-api": paymentsApi,
  "tienda-ceramica": tiendaCeramica,
  kiroku,
};
