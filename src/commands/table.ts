import { briefCommand } from "./brief.ts";
import type { Command } from "./command.ts";
import { completeCommand } from "./complete.ts";
import { completionCommand } from "./completion.ts";
import { connectCommand } from "./connect.ts";
import { demoCommand } from "./demo.ts";
import { doctorCommand } from "./doctor.ts";
import { initCommand } from "./init.ts";
import { logCommand } from "./log.ts";
import { newCommand } from "./new.ts";
import { projectsCommand } from "./projects.ts";
import { reindexCommand } from "./reindex.ts";
import { searchCommand } from "./search.ts";
import { serveCommand } from "./serve.ts";
import { showCommand } from "./show.ts";
import { statusCommand } from "./status.ts";
import { tasksCommand } from "./tasks.ts";

/** Every command, in the order of help and documentation: it drives parsing, `--help`, docs/cli.md and completion. */
export const COMMANDS: readonly Command[] = [
  searchCommand,
  projectsCommand,
  tasksCommand,
  showCommand,
  newCommand,
  statusCommand,
  logCommand,
  briefCommand,
  initCommand,
  connectCommand,
  reindexCommand,
  doctorCommand,
  serveCommand,
  demoCommand,
  completionCommand,
  completeCommand(() => COMMANDS),
];
