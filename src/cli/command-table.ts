import { CLIENTS } from "../clients/table.ts";
import { TASK_STATUSES } from "../notes/status.ts";
import type { Command, CommandOption, CommandWord } from "./command.ts";

const JSON_OPTION: CommandOption = { flag: "json", help: "Print JSON, for scripts." };
const PROJECT = { help: "A project (default: the current one).", values: "project" } as const;
const PROJECT_WORD: CommandWord = { name: "project", ...PROJECT };
const PROJECT_OPTION: CommandOption = { flag: "project", value: "name", ...PROJECT };
const STATUS_OPTION: CommandOption = {
  flag: "status",
  value: "status",
  help: `Only tasks with this status: ${TASK_STATUSES.join(", ")}.`,
  values: TASK_STATUSES,
};
const limitOption = (things: string, most: number): CommandOption => ({
  flag: "limit",
  value: "number",
  help: `Maximum number of ${things} (default: 10).`,
  range: [1, most],
});
const CLIENT_NAMES = CLIENTS.map(({ name }) => name);
const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** Every command, in the order of help and documentation: it drives parsing, `--help`, docs/cli.md and completion. */
export const COMMANDS: readonly Command[] = [
  {
    name: "search",
    summary: "Search the workspace and print the best documents.",
    words: [{ name: "words", help: "words to find", required: true, many: true }],
    options: [
      { flag: "also", value: "words", help: "Other words the notes may use; repeat for more.", many: true },
      {
        ...PROJECT_OPTION,
        help: "Only this project (default: all, with the current project first among equals).",
      },
      { flag: "folder", value: "name", help: "Only this folder of each project, e.g. tasks." },
      STATUS_OPTION,
      { flag: "tag", value: "tag", help: "Only documents with this tag." },
      limitOption("documents", 100),
      JSON_OPTION,
    ],
    example: 'search "bearer token"',
    load: () => import("./commands/search.ts"),
  },
  {
    name: "projects",
    summary: "List the projects with their counts, or the files of one.",
    words: [{ name: "project", help: "List the files of this project.", values: "project" }],
    options: [
      { flag: "folder", value: "name", help: "With a project: only this folder." },
      { flag: "names", help: "Print only the names, one per line." },
      JSON_OPTION,
    ],
    example: "projects payments-api",
    load: () => import("./commands/projects.ts"),
  },
  {
    name: "tasks",
    summary: "Show tasks: a board on a terminal, one line per task in a pipe.",
    words: [{ ...PROJECT_WORD, help: "A project (default: the current one, else all)." }],
    options: [
      STATUS_OPTION,
      { flag: "ready", help: "Only tasks that can start now: pending, with no open dependencies." },
      { flag: "all", help: "Show the tasks of all projects." },
      limitOption("cards per board column", 10_000),
      JSON_OPTION,
    ],
    example: "tasks payments-api --ready",
    load: () => import("./commands/tasks.ts"),
  },
  {
    name: "show",
    summary: "Print a document by its path, or a task by its number.",
    words: [
      {
        name: "document",
        help: "a path such as payments-api/status.md or tasks/004-add-login.md, or a task number",
        required: true,
        values: "task",
      },
    ],
    options: [
      PROJECT_OPTION,
      { flag: "section", value: "heading", help: "Print only the section under this heading." },
      JSON_OPTION,
    ],
    example: "show payments-api/status.md",
    load: () => import("./commands/show.ts"),
  },
  {
    name: "new",
    summary: "Create a task with the next free number.",
    words: [{ name: "title", help: "a title", required: true, many: true }],
    options: [
      PROJECT_OPTION,
      { flag: "objective", value: "text", help: "The goal, in one paragraph (default: the title)." },
      { flag: "step", value: "text", help: "A step; repeat for more.", many: true },
      { flag: "criterion", value: "text", help: "An acceptance criterion; repeat for more.", many: true },
      {
        flag: "after",
        value: "task",
        help: "A task that must be done first, e.g. 003; repeat for more.",
        many: true,
        values: "task",
      },
      { flag: "file", value: "path", help: "A related file; repeat for more.", many: true, values: "file" },
      { flag: "tag", value: "tag", help: "A tag; repeat for more.", many: true },
      { flag: "notes", value: "text", help: "Anything else." },
      { ...STATUS_OPTION, help: `${TASK_STATUSES.join(", ")} (default: pending).` },
      JSON_OPTION,
    ],
    example: 'new "Add login" --project payments-api --step "Write the form" --after 003',
    load: () => import("./commands/new.ts"),
  },
  {
    name: "status",
    summary: "Set the status of a task.",
    words: [
      { name: "task", help: "a task number or file name", required: true, values: "task" },
      {
        name: "status",
        help: `a status: ${TASK_STATUSES.join(", ")}`,
        required: true,
        values: TASK_STATUSES,
      },
    ],
    options: [PROJECT_OPTION, JSON_OPTION],
    example: "status 004 in-progress --project payments-api",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "log",
    summary: "Add to today's session note; without text, read it from a pipe.",
    words: [{ name: "text", help: "What was done, what blocks, what comes next (Markdown).", many: true }],
    options: [
      PROJECT_OPTION,
      { flag: "suffix", value: "name", help: "Write to a separate note, e.g. debugging-auth." },
      JSON_OPTION,
    ],
    example: 'log "Rotated the keys. Next: the audit log." --project payments-api',
    load: () => import("./commands/log.ts"),
  },
  {
    name: "brief",
    summary: "Print what an agent needs to start a session on a project.",
    words: [PROJECT_WORD],
    options: [
      { flag: "focus", value: "text", help: "What the session is about: a task (004), or words." },
      {
        flag: "max-tokens",
        value: "number",
        help: "Approximate maximum length, at four characters per token (default: 15,000).",
        range: [100, 15_000],
      },
      { flag: "quiet", help: "If no project is current, print nothing and succeed: for hooks." },
      JSON_OPTION,
    ],
    example: "brief payments-api --max-tokens 2000",
    load: () => import("./commands/brief.ts"),
  },
  {
    name: "init",
    summary: "Create a project, and link this folder to it so that agents find it.",
    words: [{ name: "project", help: "The project's name, e.g. payments-api." }],
    options: [
      {
        flag: "link",
        help: "Write `vibe: <project>` into AGENTS.md or CLAUDE.md of this repository, even if the project exists.",
      },
      JSON_OPTION,
    ],
    example: "init payments-api --link",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "connect",
    summary: "Add this server to an agent's client: show a diff of its settings, ask, then write them.",
    words: [
      {
        name: "client",
        help: `a client: ${CLIENT_NAMES.join(", ")}`,
        required: true,
        values: CLIENT_NAMES,
      },
    ],
    options: [
      { flag: "yes", help: "Write without asking." },
      { flag: "print", help: "Only print what belongs in the settings." },
      { flag: "remove", help: "Remove this server from the settings." },
      { flag: "here", help: "Use the settings of this folder instead of your own." },
      { flag: "name", value: "name", help: "The server's name in the client (default: vibe)." },
      {
        flag: "url",
        value: "address",
        help: "Reach a server over HTTP instead, e.g. https://notes.example.com/mcp.",
      },
      {
        flag: "token-env",
        value: "variable",
        help: "With --url: the variable that holds the token, or none (default: VIBE_AUTH_TOKEN).",
      },
      { flag: "hook", help: "For claude-code: add a hook that prints the briefing into each new session." },
      {
        flag: "project",
        value: "name",
        help: "Always this project, whatever the folder is.",
        values: "project",
      },
      JSON_OPTION,
    ],
    example: "connect cursor",
    anyRoot: true,
    load: () => import("./commands/connect.ts"),
  },
  {
    name: "reindex",
    summary: "Sync the index with the files and count the changes; rarely needed, since every call does it.",
    words: [{ name: "project", help: "Only this project.", values: "project" }],
    options: [{ flag: "full", help: "Read and index every file again." }, JSON_OPTION],
    example: "reindex --full",
    load: () => import("./commands/reindex.ts"),
  },
  {
    name: "doctor",
    summary: "Check the workspace and the clients on this machine, and say how to fix what is wrong.",
    words: [],
    options: [
      { flag: "fix", help: "Fix what is safe to fix: leftover locks and temporary files, a broken index." },
      JSON_OPTION,
    ],
    example: "doctor --fix",
    anyRoot: true,
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "serve",
    summary: "Serve the workspace over HTTP, to many clients on many machines.",
    words: [],
    options: [],
    example: "serve --port 8080",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "demo",
    summary: "Write an example workspace of three projects and suggest what to try.",
    words: [{ name: "folder", help: "A new or empty folder (default: vibe-demo).", values: "file" }],
    options: [JSON_OPTION],
    example: "demo vibe-demo",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "completion",
    summary: "Print a shell completion script, which says where to put it.",
    words: [{ name: "shell", help: "a shell", required: true, values: SHELLS }],
    options: [],
    example: "completion bash",
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "complete",
    summary: "Print completions, for the scripts of shells.",
    words: [{ name: "words", help: "The words before.", many: true }],
    options: [{ flag: "word", value: "text", help: "The word being typed." }],
    example: "complete --word=ta",
    hidden: true,
    load: async () => ({ run: (await import("./commands/completion.ts")).complete }),
  },
];
