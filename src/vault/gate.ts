import { join } from "node:path";
import { type Gate, gateOf, type Problem } from "../files/gate.ts";
import type { Vault } from "../workspace/vault.ts";
import { checkRules, type PathErrorCode, pathError, type Use } from "./path.ts";

/** The gate of a vault: it follows no link, and shows neither hidden places nor the index. */
export function vaultGate(vault: Vault, use: Use): Gate {
  const gate = gateOf(vault.root, {
    followsLinks: false,
    check: (parts) => checkPlace(vault, { root: gate.root(), place: parts, use }),
    refusal: (problem, path) => pathError(...REFUSALS[problem](path)),
  });
  return gate;
}

const REFUSALS: Record<Problem, (path: string) => [PathErrorCode, string, string]> = {
  link: (path) => ["forbidden", path, "leads through a link. Use the path of the file itself."],
  outside: (path) => ["out_of_scope", path, "leads out of the vault. Choose a path inside it."],
  changing: (path) => ["conflict", path, "is being replaced by somebody else. Try again."],
  "too-long": (path) => ["not_found", path, "is no file of the vault. Call vault_ls to see what exists."],
  "no-folder": (path) => ["conflict", path, "is a file, and a folder is needed there. Choose another path."],
};

/** The rules for a place on disk below the link-free `root`. Throws forbidden. */
export function checkPlace(
  vault: Vault,
  { root, place, use }: { root: string; place: readonly string[]; use: Use },
): void {
  checkRules(place, use);
  if (vault.isIndex(join(root, ...place)))
    throw pathError("forbidden", place.join("/"), "is the index of the workspace. Use search to ask it.");
}
