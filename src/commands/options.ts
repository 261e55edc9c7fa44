import { TASK_STATUSES } from "../domain/status.ts";
import type { CommandOption, CommandWord } from "./command.ts";

/** Rows that several commands share. */
export const JSON_OPTION: CommandOption = { flag: "json", help: "Print JSON, for scripts." };

export const PROJECT_OPTION: CommandOption = {
  flag: "project",
  value: "name",
  help: "The project; without it the one of this folder.",
  values: "project",
};

export const STATUS_OPTION: CommandOption = {
  flag: "status",
  value: "status",
  help: `Only these tasks: ${TASK_STATUSES.join(", ")}.`,
  values: TASK_STATUSES,
};

export const limitOption = (most: number, help: string): CommandOption => ({
  flag: "limit",
  value: "number",
  help,
  range: [1, most],
});

export const PROJECT_WORD: CommandWord = {
  name: "project",
  help: "Its name; without it the project of this folder.",
  values: "project",
};
