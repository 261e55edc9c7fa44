/** Node's `crypto`, loaded when it is first used: at a start it would take as long as all other built-in modules. */
export function crypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}
