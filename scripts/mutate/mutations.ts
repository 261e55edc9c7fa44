/** A bug for the sources, and the tests that must catch it. */
export interface Mutation {
  what: string;
  file: string;
  /** Occurs in the file exactly once. */
  from: string;
  to: string;
  tests: string[];
}

export const MUTATIONS: Mutation[] = [
  {
    what: "gate: the target of a link is inside the root",
    file: "src/storage/path-gate.ts",
    from: "if (place === undefined) throw rules.refusals.outside(path);",
    to: "if (!place) return file;",
    tests: ["test/storage/path-gate.test.ts"],
  },
  {
    what: "gate: hidden names and '..' are refused",
    file: "src/storage/path-gate.ts",
    from: 'part === "" || part.startsWith(".")',
    to: 'part === ""',
    tests: ["test/storage/path-gate.test.ts"],
  },
  {
    what: "lock: a held lock is not taken again",
    file: "src/storage/locks.ts",
    from: '"ENOTDIR", "EISDIR"].includes(errorCode(error))) return false;',
    to: '"ENOTDIR", "EISDIR"].includes(errorCode(error))) return true;',
    tests: ["test/storage/locks.test.ts"],
  },
  {
    what: "lock: the lock of a dead process is broken, that of a living one is not",
    file: "src/storage/lock-entry.ts",
    from: "|| isAlive(owner.pid)",
    to: "|| !isAlive(owner.pid)",
    tests: ["test/storage/locks.test.ts"],
  },
  {
    what: "write: creating a file never replaces another",
    file: "src/storage/atomic-write.ts",
    from: "    linkSync(from, to);",
    to: "    renameSync(from, to);",
    tests: ["test/storage/atomic-write.test.ts"],
  },
  {
    what: "write: a file is checked once more right before it is replaced",
    file: "src/storage/atomic-write.ts",
    from: "        check();\n",
    to: "",
    tests: ["test/storage/atomic-write.test.ts"],
  },
  {
    what: "status edit: the text after the value stays",
    file: "src/notes/status-edit.ts",
    from: "text.slice(line.valueEnd);",
    to: "text.slice(line.valueEnd + 1);",
    tests: ["test/notes/status-edit.test.ts"],
  },
  {
    what: "recovery: the checksum of the index is checked",
    file: "src/index/index-image.ts",
    from: "if (crc32(bytes.subarray(0, -4)) !== sum) return undefined;",
    to: "",
    tests: ["test/index/index-image.test.ts", "test/sync/index-store.test.ts"],
  },
  {
    what: "recovery: an index that breaks is rebuilt, and the query repeated",
    file: "src/sync/current-index.ts",
    from: "if (!(error instanceof SqliteError)) throw error;",
    to: "throw error;",
    tests: ["test/sync/index-store.test.ts"],
  },
  {
    what: "recovery: a failed scan is not a deletion",
    file: "src/sync/diff.ts",
    from: 'if (failed.includes("")) return [];',
    to: "",
    tests: ["test/sync/index-store.test.ts"],
  },
];
