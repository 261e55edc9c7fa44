import { anyOf } from "../core/lib/text.ts";
import { factsOfField, TASK_FIELDS, TASK_ORDERS } from "../core/notes/task/fields.ts";
import { nearestStatus, normalizeStatus } from "../core/notes/task/status-word.ts";
import { TASK_STATUSES } from "../core/notes/task/statuses.ts";
import { CLIENTS, clientNamed } from "../setup/clients/table.ts";
import { IMPORT_KINDS } from "../setup/imports/imported-task.ts";
import type { Command, CommandOption, CommandWord } from "./command.ts";
import { FIELD_OPTIONS, FILTER_OPTIONS, meaningOf } from "./task-fields.ts";

const JSON_OPTION: CommandOption = { flag: "json", help: "Print JSON, for scripts." };
const PROJECT = { help: "A project (default: the current one).", values: "project" } as const;
const PROJECT_WORD: CommandWord = { name: "project", ...PROJECT };
const PROJECT_OPTION: CommandOption = { flag: "project", value: "name", ...PROJECT };
const DOCUMENT_WORD = { name: "document", required: true, values: "task" } as const;
const STATUS_OPTION: CommandOption = {
  flag: "status",
  value: "status",
  help: `Only tasks with this status: ${TASK_STATUSES.join(", ")}.`,
  values: TASK_STATUSES,
  meaning: normalizeStatus,
};
const TASK_WORD: CommandWord = {
  name: "task",
  help: "a task: its number, file name or path",
  required: true,
  values: "task",
};
const AGENT_OPTION: CommandOption = {
  flag: "agent",
  value: "name",
  help: "Who does this, for the task's claim (default: your name in git, else your user name).",
};
const limitOption = (help: string, most: number): CommandOption => ({
  flag: "limit",
  value: "number",
  help,
  range: [1, most],
});
/** A command for each field that has one. */
const FIELD_COMMANDS = TASK_FIELDS.flatMap((field): Command[] => {
  const { command: name, noun, value, help, values, example } = factsOfField(field);
  if (name === undefined) return [];
  const word = { name: value, help: `${help}, or - for none`, required: true };
  return [
    {
      name,
      summary: `Set the ${noun} of a task.`,
      words: [TASK_WORD, { ...word, ...(values && { values: [...values, "-"], meaning: meaningOf(field) }) }],
      options: [PROJECT_OPTION, AGENT_OPTION, JSON_OPTION],
      example: `${name} 004 ${example} --project payments-api`,
      load: () => import("./commands/task-field.ts"),
    },
  ];
});
const CLIENT_NAMES = CLIENTS.map(({ name }) => name);
const PLUGIN_CLIENTS = CLIENTS.flatMap(({ name, plugin }) => (plugin === undefined ? [] : [name]));
const TOKEN_ACTIONS = ["new", "list", "revoke"];
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
      limitOption("Maximum number of documents (default: 10).", 100),
      JSON_OPTION,
    ],
    example: 'search "bearer token"',
    load: () => import("./commands/search.ts"),
  },
  {
    name: "projects",
    summary: "List the projects, or the files of one.",
    words: [{ name: "project", help: "List the files of this project.", values: "project" }],
    options: [
      { flag: "folder", value: "name", help: "With a project: only this folder." },
      { flag: "names", help: "Print only names, one per line; with a project: the paths of its files." },
      JSON_OPTION,
    ],
    example: "projects payments-api",
    load: () => import("./commands/projects.ts"),
  },
  {
    name: "tasks",
    summary: "Show tasks by status; in a pipe, one per line.",
    words: [{ ...PROJECT_WORD, help: "A project (default: the current one, else all)." }],
    options: [
      STATUS_OPTION,
      {
        flag: "ready",
        help: "Only tasks that can start now: not held by anyone, with no open dependencies.",
      },
      ...FILTER_OPTIONS,
      {
        flag: "sort",
        value: "order",
        values: TASK_ORDERS,
        help: `By ${anyOf(TASK_ORDERS)} (default: by status, order, priority, due date and number).`,
      },
      { flag: "all", help: "Show the tasks of all projects." },
      { flag: "archived", help: "Show archived tasks, too." },
      limitOption("Maximum number of tasks; on a terminal per status (default there: 10, else all).", 10_000),
      JSON_OPTION,
    ],
    example: "tasks payments-api --ready",
    load: () => import("./commands/tasks.ts"),
  },
  {
    name: "board",
    summary: "Open the board: all tasks, live, in your browser.",
    words: [{ ...PROJECT_WORD, help: "Show only this project at first (default: all)." }],
    options: [
      {
        flag: "port",
        value: "number",
        help: "The port to listen on (default: a free one).",
        range: [0, 65_535],
      },
      { flag: "no-open", help: "Only print the address." },
    ],
    example: "board payments-api",
    load: () => import("./commands/board.ts"),
  },
  {
    name: "show",
    summary: "Show a document by path, or a task by number.",
    words: [
      {
        ...DOCUMENT_WORD,
        help: "a path such as payments-api/status.md or tasks/004-add-login.md, a task number, or a project",
      },
    ],
    options: [
      PROJECT_OPTION,
      { flag: "section", value: "heading", help: "Print only the section under this heading." },
      { flag: "no-pager", help: "For scripts of earlier versions: there is no pager." },
      JSON_OPTION,
    ],
    example: "show payments-api/status.md",
    load: () => import("./commands/show.ts"),
  },
  {
    name: "new",
    summary: "Create a task with the next free number.",
    words: [{ name: "title", help: "what to do, in a few words", required: true, many: true }],
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
      ...FIELD_OPTIONS,
      { flag: "notes", value: "text", help: "Anything else to know, in Markdown." },
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
      TASK_WORD,
      {
        name: "status",
        help: `a status: ${TASK_STATUSES.join(", ")}`,
        required: true,
        values: TASK_STATUSES,
        meaning: normalizeStatus,
        suggest: nearestStatus,
      },
    ],
    options: [
      PROJECT_OPTION,
      { flag: "note", value: "text", help: "Add this line to the task, e.g. why it comes back." },
      AGENT_OPTION,
      JSON_OPTION,
    ],
    example: "status 004 in-progress --project payments-api",
    load: () => import("./commands/status.ts"),
  },
  {
    name: "claim",
    summary: "Take a task, so that no agent does it too.",
    words: [{ ...TASK_WORD, help: "A task (default: the next ready one).", required: false }],
    options: [
      PROJECT_OPTION,
      { ...AGENT_OPTION, help: "Who takes it (default: your name in git, else your user name)." },
      { flag: "minutes", value: "number", help: "How long (default: 240).", range: [1, 10_080] },
      { flag: "release", help: "Give it back." },
      { flag: "finish", help: "Hand it in: a person reviews it." },
      JSON_OPTION,
    ],
    example: "claim --project payments-api",
    load: () => import("./commands/claim.ts"),
  },
  {
    name: "tick",
    summary: "Tick steps or acceptance criteria of a task.",
    words: [
      TASK_WORD,
      {
        name: "steps",
        help: "numbers of steps or criteria, from 1",
        required: true,
        many: true,
      },
    ],
    options: [
      PROJECT_OPTION,
      { flag: "criteria", help: "Tick acceptance criteria." },
      { flag: "open", help: "Remove the ticks." },
      AGENT_OPTION,
      JSON_OPTION,
    ],
    example: "tick 004 1 2 --project payments-api",
    load: () => import("./commands/tick.ts"),
  },
  ...FIELD_COMMANDS,
  {
    name: "edit",
    summary: "Open a document in your editor, then check it.",
    words: [{ ...DOCUMENT_WORD, help: "a path such as payments-api/status.md, or a task number" }],
    options: [PROJECT_OPTION],
    example: "edit 004 --project payments-api",
    load: () => import("./commands/edit.ts"),
  },
  {
    name: "archive",
    summary: "Move finished tasks out of lists and search.",
    words: [{ name: "tasks", help: "numbers, file names or paths of tasks", many: true, values: "task" }],
    options: [
      PROJECT_OPTION,
      { flag: "done", help: "All tasks that are done or cancelled." },
      { flag: "older", value: "days", help: "Those done tasks that have not changed for so long, e.g. 30d." },
      { flag: "restore", help: "Move tasks from the archive back." },
      { flag: "dry-run", help: "Only show what would move." },
      { flag: "yes", help: "Move without asking." },
      JSON_OPTION,
    ],
    example: "archive --done --older 30d",
    load: () => import("./commands/archive.ts"),
  },
  {
    name: "renumber",
    summary: "Give tasks that share a number one of their own.",
    words: [PROJECT_WORD],
    options: [
      { flag: "dry-run", help: "Only show what would change." },
      { flag: "yes", help: "Renumber without asking." },
      JSON_OPTION,
    ],
    example: "renumber payments-api --dry-run",
    load: () => import("./commands/renumber.ts"),
  },
  {
    name: "sync",
    summary: "Exchange the notes with other machines.",
    words: [{ name: "remote", help: "With --setup: an https or ssh address, or a folder." }],
    options: [
      { flag: "setup", help: "Remember the remote (default: the repository's origin), and sync." },
      { flag: "branch", value: "name", help: "With --setup: the branch (default: vibe-notes)." },
      { ...PROJECT_OPTION, help: "Only this project (with a remote: default all)." },
      { flag: "dry-run", help: "Only show what would come and go." },
      { flag: "large", help: "Take over however much others changed." },
      { flag: "status", help: "Show the remote, and when it was reached last." },
      { flag: "stop", help: "Forget the remote; the notes stay." },
      JSON_OPTION,
    ],
    example: "sync --status",
    load: () => import("./commands/sync.ts"),
  },
  {
    name: "plan",
    summary: "Compare a plan's status lists with its tasks.",
    words: [PROJECT_WORD],
    options: [
      { flag: "file", value: "name", help: "A plan in plans/ (default: execution-plan.md)." },
      JSON_OPTION,
    ],
    example: "plan payments-api",
    load: () => import("./commands/plan.ts"),
  },
  {
    name: "stale",
    summary: "List the notes that name what is gone.",
    words: [PROJECT_WORD],
    options: [JSON_OPTION],
    example: "stale payments-api",
    load: () => import("./commands/stale.ts"),
  },
  {
    name: "log",
    summary: "Add words, or text from a pipe, to today's note.",
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
    name: "capture",
    summary: "Keep what a session of an agent was about.",
    words: [
      {
        name: "transcript",
        help: "A transcript of a client, such as Claude Code (default: the newest one of this project).",
        values: "file",
      },
    ],
    options: [
      { flag: "all", help: "All sessions of this machine, each in the project of its folder." },
      { ...PROJECT_OPTION, help: "A project (default: that of the folder in which the session ran)." },
      { flag: "dry-run", help: "Only show what would be written." },
      { flag: "on", help: "Agree that hooks keep each session in these notes when it ends." },
      { flag: "off", help: "Take that back." },
      {
        flag: "hook",
        help: "As the hook of a client calls it: read from the pipe which transcript it is, print nothing, and succeed.",
      },
      JSON_OPTION,
    ],
    example: "capture --dry-run",
    load: () => import("./commands/capture.ts"),
  },
  {
    name: "move",
    summary: "Rename, move or archive a document; links follow.",
    words: [
      { ...DOCUMENT_WORD, help: "a path such as payments-api/plans/old.md, or a task number" },
      { name: "place", help: "a new name, a folder such as archive, or a path", required: true },
    ],
    options: [
      PROJECT_OPTION,
      { flag: "dry-run", help: "Only show what would change." },
      { flag: "yes", help: "Move without asking." },
      JSON_OPTION,
    ],
    example: "move payments-api/references/authentication.md bearer-tokens",
    load: () => import("./commands/move.ts"),
  },
  {
    name: "delete",
    summary: "Delete a document; undo brings it back.",
    words: [{ ...DOCUMENT_WORD, help: "a path such as payments-api/plans/old.md, or a task number" }],
    options: [PROJECT_OPTION, { flag: "yes", help: "Delete without asking." }, JSON_OPTION],
    example: "delete payments-api/tasks/001-create-the-charges-endpoint.md",
    load: () => import("./commands/delete.ts"),
  },
  {
    name: "history",
    summary: "List what was created, replaced, moved or deleted.",
    words: [{ name: "document", help: "A path, e.g. payments-api/status.md (default: all documents)." }],
    options: [
      { ...PROJECT_OPTION, help: "Only this project (default: the current one, else all)." },
      limitOption("Maximum number of changes (default: 10).", 10_000),
      { flag: "purge", help: "Remove the old texts of the document, or all of them, for good." },
      { flag: "yes", help: "With --purge: do not ask." },
      JSON_OPTION,
    ],
    example: "history payments-api/status.md",
    load: () => import("./commands/history.ts"),
  },
  {
    name: "undo",
    summary: "Undo the newest changes: show a diff, then ask.",
    words: [
      {
        name: "number|id",
        help: "How many changes (default: 1), or their ids from history.",
        many: true,
      },
    ],
    options: [
      { ...PROJECT_OPTION, help: "Only this project (default: the current one, else all)." },
      { flag: "yes", help: "Undo without asking." },
      JSON_OPTION,
    ],
    example: "undo 2",
    load: () => import("./commands/undo.ts"),
  },
  {
    name: "brief",
    summary: "Print what an agent needs to start a session.",
    words: [PROJECT_WORD],
    options: [
      { flag: "focus", value: "text", help: "What the session is about: a task (004), or words." },
      {
        flag: "max-tokens",
        value: "number",
        help: "Approximate maximum length in tokens of four bytes (default: 60,000 characters).",
        range: [100, 15_000],
      },
      { flag: "quiet", help: "If no project is current, print nothing and succeed: for hooks." },
      {
        flag: "hook",
        help: "As the hook of a client calls it: likewise, and print the JSON that clients take.",
      },
      JSON_OPTION,
    ],
    example: "brief payments-api --max-tokens 2000",
    load: () => import("./commands/brief.ts"),
  },
  {
    name: "init",
    summary: "Create this folder's project and connect agents.",
    words: [
      {
        name: "project",
        help: "The project's name (default: that of the repository or folder).",
      },
    ],
    options: [
      {
        flag: "in-repo",
        help: "Keep the notes in this repository.",
      },
      { flag: "project", value: "name", help: "The project's name, as an option." },
      { flag: "folder", value: "name", help: "With --in-repo: the folder for the notes (default: .vibe)." },
      {
        flag: "with-program",
        help: "With --in-repo: put this program and the settings of clients beside the notes, so that a clone needs Node alone.",
      },
      {
        flag: "link",
        help: "Write the block about the project into AGENTS.md or another file for agents without asking.",
      },
      { flag: "yes", help: "Write the block and connect the clients of this machine without asking." },
      { flag: "unlink", help: "Remove the block." },
      JSON_OPTION,
    ],
    example: "init --yes",
    load: () => import("./commands/init.ts"),
  },
  {
    name: "import",
    summary: "Create the tasks that another program keeps.",
    words: [
      {
        name: "program",
        help: `whose tasks: ${IMPORT_KINDS.join(", ")}`,
        required: true,
        values: IMPORT_KINDS,
      },
      { name: "folder", help: "the repository in which it keeps them", required: true, values: "file" },
    ],
    options: [PROJECT_OPTION, { flag: "dry-run", help: "Only show what would be created." }, JSON_OPTION],
    example: "import beads . --dry-run",
    load: () => import("./commands/import.ts"),
  },
  {
    name: "connect",
    summary: "Connect the client of an agent; asks first.",
    words: [
      {
        name: "client",
        help: `a client: ${CLIENT_NAMES.join(", ")}`,
        required: true,
        values: CLIENT_NAMES,
        meaning: clientNamed,
      },
    ],
    options: [
      { flag: "yes", help: "Write without asking." },
      { flag: "print", help: "Only print what belongs in the settings." },
      { flag: "remove", help: "Remove this server from the settings." },
      { flag: "here", help: "Use the settings of this folder, for a team, instead of your own." },
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
    name: "plugin",
    summary: "Write a plugin that a client installs.",
    words: [
      {
        name: "client",
        help: `a client: ${PLUGIN_CLIENTS.join(", ")}`,
        required: true,
        values: PLUGIN_CLIENTS,
        meaning: clientNamed,
      },
      { name: "folder", help: "A new or empty folder (default: vibe-plugin).", values: "file" },
    ],
    options: [JSON_OPTION],
    example: "plugin claude-code",
    anyRoot: true,
    load: () => import("./commands/plugin.ts"),
  },
  {
    name: "reindex",
    summary: "Sync the index; rarely needed: every call does it.",
    words: [{ name: "project", help: "Only this project.", values: "project" }],
    options: [{ flag: "full", help: "Read and index every file again." }, JSON_OPTION],
    example: "reindex --full",
    load: () => import("./commands/reindex.ts"),
  },
  {
    name: "doctor",
    summary: "Check workspace and clients, and say what to fix.",
    words: [],
    options: [
      {
        flag: "fix",
        help: "Fix what is safe to fix: leftover locks and temporary files, a broken index, an index that git does not ignore.",
      },
      JSON_OPTION,
    ],
    example: "doctor --fix",
    anyRoot: true,
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "verify",
    summary: "Check that nothing written was lost.",
    words: [],
    options: [
      { flag: "fix", help: "Drop old texts that are damaged, each alone; nothing else changes." },
      JSON_OPTION,
    ],
    example: "verify",
    load: () => import("./commands/verify.ts"),
  },
  {
    name: "serve",
    summary: "Serve the workspace to many clients over HTTP.",
    words: [],
    options: [],
    example: "serve --port 8080",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "token",
    summary: "Make, list or revoke the tokens of serve.",
    words: [
      {
        name: "action",
        help: `what to do: ${TOKEN_ACTIONS.join(", ")}`,
        required: true,
        values: TOKEN_ACTIONS,
      },
      { name: "name", help: "Whose token: a-z, 0-9 and - (ana)." },
    ],
    options: [
      { flag: "read", help: "With new: it only reads." },
      { flag: "person", help: "With new: a person acts with it, in any client; others are for agents." },
      {
        flag: "projects",
        value: "list",
        help: "With new: it sees these projects alone, by name or glob: docs,api-* (default: all).",
      },
      {
        flag: "token-file",
        value: "file",
        help: "The token file (default: tokens in the state folder, which serve reads by itself).",
      },
      JSON_OPTION,
    ],
    example: "token new ana",
    anyRoot: true,
    load: () => import("./commands/token.ts"),
  },
  {
    name: "demo",
    summary: "Write an example workspace, and say what to try.",
    words: [{ name: "folder", help: "A new or empty folder (default: vibe-demo).", values: "file" }],
    options: [JSON_OPTION],
    example: "demo vibe-demo",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "merge",
    summary: "Merge two changes of one note, for git.",
    words: [
      {
        name: "files",
        help: "the note as both sides found it, ours, theirs; the result goes into ours",
        many: true,
        values: "file",
      },
    ],
    options: [
      { flag: "path", value: "path", help: "Where the note lies, if the files have other names." },
      {
        flag: "marker-size",
        value: "number",
        help: "Length of the conflict markers (default: 7).",
        range: [1, 200],
      },
      { flag: "register", help: "Have git call this for the notes of this clone." },
      { flag: "remove", help: "Have git merge them line by line again." },
      JSON_OPTION,
    ],
    example: "merge base.md ours.md theirs.md",
    anyRoot: true,
    load: () => import("./commands/merge.ts"),
  },
  {
    name: "completion",
    summary: "Print a completion script for your shell.",
    words: [{ name: "shell", help: `a shell: ${SHELLS.join(", ")}`, required: true, values: SHELLS }],
    options: [],
    example: "completion bash",
    load: () => import("./commands/completion.ts"),
  },
  {
    name: "__complete",
    summary: "Print completions, for the scripts of shells.",
    words: [{ name: "words", help: "The words before.", many: true }],
    options: [{ flag: "word", value: "text", help: "The word being typed." }],
    example: "__complete --word=ta",
    hidden: true,
    load: async () => ({ run: (await import("./commands/completion.ts")).complete }),
  },
];
