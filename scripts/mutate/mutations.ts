/** One line of the sources made wrong, and the tests that must notice. */
export interface Mutation {
  what: string;
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
  tests: string[];
}

export const MUTATIONS: Mutation[] = [
  {
    what: "gate: what a link leads to is inside the root",
    file: "src/storage/path-gate.ts",
    ...{
      from: "if (place === undefined) throw rules.refusals.outside(path);",
      to: "if (!place) return file;",
    },
    tests: ["test/storage/path-gate.test.ts"],
  },
  {
    what: "gate: hidden names and '..' are refused",
    ...{ file: "src/storage/path-gate.ts", from: 'part === "" || part.startsWith(".")', to: 'part === ""' },
    tests: ["test/storage/path-gate.test.ts"],
  },
  {
    what: "lock: a lock that is taken is not taken again",
    file: "src/storage/locks.ts",
    from: '"ENOTDIR", "EISDIR"].includes(errorCode(error))) return false;',
    to: '"ENOTDIR", "EISDIR"].includes(errorCode(error))) return true;',
    tests: ["test/storage/locks.test.ts"],
  },
  {
    what: "lock: the lock of a dead process is given up, of a living one kept",
    ...{ file: "src/storage/lock-entry.ts", from: "|| isAlive(owner.pid)", to: "|| !isAlive(owner.pid)" },
    tests: ["test/storage/locks.test.ts"],
  },
  {
    what: "write: a created file never replaces one that is there",
    file: "src/storage/atomic-write.ts",
    from: "    linkSync(from, to);",
    to: "    renameSync(from, to);",
    tests: ["test/storage/atomic-write.test.ts"],
  },
  {
    what: "write: the last moment before a replacement is asked",
    file: "src/storage/atomic-write.ts",
    from: "        check();\n",
    to: "",
    tests: ["test/storage/atomic-write.test.ts"],
  },
  {
    what: "status edit: what follows the value stays",
    file: "src/notes/status-edit.ts",
    ...{ from: "text.slice(line.valueEnd);", to: "text.slice(line.valueEnd + 1);" },
    tests: ["test/notes/status-edit.test.ts"],
  },
  {
    what: "recovery: the checksum of the index is compared",
    file: "src/index/index-image.ts",
    ...{ from: "if (crc32(bytes.subarray(0, -4)) !== sum) return undefined;", to: "" },
    tests: ["test/index/index-image.test.ts", "test/workspace/index-store.test.ts"],
  },
  {
    what: "recovery: an index that breaks is made anew and asked again",
    file: "src/workspace/current-index.ts",
    ...{ from: "if (!(error instanceof SqliteError)) throw error;", to: "throw error;" },
    tests: ["test/workspace/index-store.test.ts"],
  },
  {
    what: "recovery: a scan that fails is no deletion",
    file: "src/workspace/diff.ts",
    ...{ from: 'if (failed.includes("")) return [];', to: "" },
    tests: ["test/workspace/index-store.test.ts"],
  },
];
