import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { placeBuilt } from "./built.ts";
import { temporaryFolder } from "./workspace.ts";

/** Programs that a reader has and a test does not: whatever they are told, they do nothing. */
const FOREIGN = ["claude", "curl", "docker", "git", "ssh", "sudo"];

/** A server is stopped once it listens; the question of `connect` is answered with yes. */
const VIBE_MCP = `
echo "$*" >> "$HOME/typed"
case "$1" in
  connect) shift; set -- connect --yes "$@" ;;
  serve)
    node "$BUILT" "$@" --port 0 2> "$HOME/serve.log" & server=$!
    until grep -q "listening on" "$HOME/serve.log"; do
      kill -0 $server 2> /dev/null || { cat "$HOME/serve.log" >&2; exit 1; }
      sleep 0.05
    done
    kill $server; wait $server; exit ;;
esac
exec node "$BUILT" "$@"`;

const NPX = `
[ "$1" = -y ] && shift
case "$1" in
  vibe-mcp) shift; npm_command=exec exec vibe-mcp "$@" ;;
  tsx) test -f "$CHECKOUT/$2" ;;
  *) echo "npx $1 is not known here" >&2; exit 1 ;;
esac`;

/** What takes long is only looked up. */
const NPM = `
[ "$1" = ci ] && exit
[ "$1" = run ] && shift
[ "$1" = start ] && exec node "$REAL_NPM" start
node -e 'process.exit(process.argv[1] in require("./package.json").scripts ? 0 : 1)' "$1" && exit
echo "npm run $1: there is no such script" >&2; exit 1`;

export interface Shell {
  /** Runs a script as a reader would, in a checkout's folder; everything it printed when it fails. */
  run: (script: string) => string | undefined;
  /** The arguments of each `vibe-mcp` so far. */
  typed: () => string[];
}

/** Somebody with an empty home but for the example workspace, in a folder named like one of its projects. */
export function shell(t: TestContext): Shell {
  const home = temporaryFolder(t);
  const [bin, folder] = [join(home, "bin"), join(home, "payments-api")];
  for (const name of [bin, join(folder, "dist")]) mkdirSync(name, { recursive: true });
  const built = join(folder, "dist", "vibe-mcp.cjs");
  placeBuilt(built);
  copyFileSync("package.json", join(folder, "package.json"));
  cpSync("deploy", join(folder, "deploy"), { recursive: true });
  const programs = { "vibe-mcp": VIBE_MCP, npx: NPX, npm: NPM };
  const foreign = FOREIGN.map((name) => [name, "cat > /dev/null"] as const);
  for (const [name, script] of [...foreign, ...Object.entries(programs)]) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {
    PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
    ...{ HOME: home, TZ: "UTC", BUILT: built, CHECKOUT: resolve("."), REAL_NPM: realNpm() },
  };
  const run = (script: string) => {
    const options = { cwd: folder, env, input: "", encoding: "utf8" as const };
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["--norc", "-o", "pipefail", "-c", checked(script)],
      options,
    );
    return status === 0 ? undefined : `${script}\n(${status})\n${stdout}${stderr}`;
  };
  const failed = run(`node "$BUILT" demo ~/.vibe`);
  if (failed !== undefined) throw new Error(failed);
  return { run, typed: () => readFileSync(join(home, "typed"), "utf8").trim().split("\n") };
}

/** Stops at the first line that fails; `set -e` would pass over what fails in front of `&&`. */
function checked(script: string): string {
  return script.replaceAll("\n", "\n[ $? = 0 ] || exit 1\n");
}

function realNpm(): string {
  return (
    process.env["npm_execpath"] ??
    join(dirname(process.execPath), "..", "lib/node_modules/npm/bin/npm-cli.js")
  );
}
