import fc from "fast-check";

/** Properties are tried on the same values in every run, so that the gate answers the same; `FC_SEED` tries others. */
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20_261_121) });
