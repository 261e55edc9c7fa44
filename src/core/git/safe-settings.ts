/**
 * Over the settings of system, user and repository, for all uses of git, those in the user's own repositories and the other end of a
 * folder included: nothing starts but git itself, a push changes no files, and the remote names no further addresses.
 */
const SETTINGS = `core.hooksPath=/dev/null core.fsmonitor=false core.pager=cat core.editor=false core.askPass=
  core.alternateRefsCommand=true uploadpack.packObjectsHook=env receive.denyCurrentBranch=refuse receive.autogc=false
  maintenance.auto=false gc.auto=0 gpg.program=false gpg.ssh.program=false gpg.x509.program=false log.showSignature=false
  commit.gpgSign=false push.gpgSign=false submodule.recurse=false push.recurseSubmodules=no fetch.recurseSubmodules=no
  transfer.bundleURI=false`;

/** Options of git, before its command. */
export const SAFE_OPTIONS: readonly string[] = SETTINGS.split(/\s+/).flatMap((setting) => ["-c", setting]);

/** Variables for git: it asks for nothing, and speaks to others only over these transports, whatever settings allow. */
export function safeVariables(transports: readonly string[]) {
  return {
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: transports.join(":") || "none",
  };
}
