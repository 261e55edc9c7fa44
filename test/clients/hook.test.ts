import assert from "node:assert/strict";
import { test } from "node:test";
import { hookTarget } from "../../src/clients/hook.ts";

const BRIEF = "vibe-mcp brief --quiet";
const CAPTURE = "vibe-mcp capture --hook";
const ALL = { SessionStart: BRIEF, PreCompact: CAPTURE, SessionEnd: CAPTURE };
const OTHERS = `{
  "hooks": {
    "PreCompact": [
      { "hooks": [{ "type": "command", "command": "date" }] }
    ],
    "Stop": []
  }
}
`;

test("hooks are written beside others, a second time without a change, and removed without a trace", () => {
  const written = hookTarget.write(OTHERS, ALL);
  assert.deepEqual(hookTarget.read(written), ALL);
  assert.equal(hookTarget.write(written, ALL), written);
  assert.match(written, /"command": "date"/);
  assert.deepEqual(JSON.parse(hookTarget.remove(written)), {
    hooks: { ...JSON.parse(OTHERS).hooks, SessionStart: [] },
  });
  assert.equal(hookTarget.read(hookTarget.remove(written)), undefined);
});

test("settings with the briefing alone get the others, and a changed command", () => {
  const old = hookTarget.write("", { SessionStart: BRIEF });
  assert.deepEqual(hookTarget.read(old), { SessionStart: BRIEF });
  const changed = { ...ALL, SessionStart: `${BRIEF} --root /notes` };
  assert.deepEqual(hookTarget.read(hookTarget.write(old, changed)), changed);
});

test("without capture, its hooks go and the briefing stays", () => {
  const written = hookTarget.write(OTHERS, ALL);
  const left = hookTarget.write(written, { SessionStart: BRIEF });
  assert.deepEqual(hookTarget.read(left), { SessionStart: BRIEF });
  assert.deepEqual(JSON.parse(left).hooks.PreCompact, JSON.parse(OTHERS).hooks.PreCompact);
  assert.equal("SessionEnd" in JSON.parse(left).hooks, false);
});

test("the end of a session leaves the program ten seconds", () => {
  const { hooks } = JSON.parse(hookTarget.write("", ALL));
  assert.deepEqual(hooks.SessionEnd, [{ hooks: [{ type: "command", command: CAPTURE, timeout: 10 }] }]);
});
