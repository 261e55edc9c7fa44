import assert from "node:assert/strict";
import { test } from "node:test";
import { commitSubjects, patchedFiles } from "../../src/sessions/transcripts/commands.ts";

const COMMANDS: [command: string, subjects: string[]][] = [
  ["git commit -m 'feat: a'", ["feat: a"]],
  ['git add -A && git commit -qam "fix: \\"b\\""', ['fix: "b"']],
  ["git -C src commit --message=c && git push", ["c"]],
  ['git commit -m "first line\n\nbody"', ["first line"]],
  ["git commit -m \"$(cat <<'EOF'\nfeat: d\n\nbody\nEOF\n)\"", ["feat: d"]],
  ["git commit --amend --no-edit", [""]],
  ["git commit -m'fix: read \\n'", ["fix: read \\n"]],
  ["git -c user.name=x -C \"my dir\" commit -q -m 'feat: f'", ["feat: f"]],
  ["git commit -F - <<'EOF'\nfeat: g\n\nbody\nEOF", ["feat: g"]],
  ["cat <<EOF | git commit --file=-\nfeat: h\nEOF", ["feat: h"]],
  ["cat > /tmp/m <<'EOF'\nfeat: i\n\nbody\nEOF\ngit add -A && git commit -F /tmp/m", ["feat: i"]],
  ["printf 'feat: j\\n\\nbody' | git commit -F -", ["feat: j"]],
  ['echo "feat: k" > m && git commit -qF m', ["feat: k"]],
  ["git commit -F message.txt", [""]],
  ["cat > a <<EOF\nx\nEOF\ngit commit -F b", [""]],
  ["git commit -m a; git commit -m b", ["a", "b"]],
  ["git commit -m a --dry-run && git commit -m 'b --dry-run'", ["b --dry-run"]],
  ["git commit --dry-run -m a; git commit --short; git commit -am c --porcelain\ngit commit --help", []],
  ["git add . && git commit -m 'd' | tail -h", ["d"]],
  ["echo 'git commit -m a'; grep -rn 'git commit -m b' docs\n# git commit -m c", []],
  ["git log --grep=commit", []],
  ["echo git; npm test", []],
];

test("the first lines of commit messages are found in commands", () => {
  for (const [command, subjects] of COMMANDS) assert.deepEqual(commitSubjects(command), subjects, command);
});

test("a patch names the files that it adds, changes, moves and deletes", () => {
  const patch = [
    "*** Begin Patch",
    "*** Add File: src/a.ts",
    "+x",
    "*** Update File: b c.ts",
    "*** Move to: d.ts",
    "*** Delete File: e.ts",
    "*** End Patch",
  ].join("\n");
  assert.deepEqual(patchedFiles(patch), ["src/a.ts", "b c.ts", "d.ts", "e.ts"]);
});
