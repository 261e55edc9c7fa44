import { z } from "zod";
import { TASK_STATUSES } from "../domain/status.ts";

const project = "Project name, for example: payments-api";

export const params = {
  project: z.string().describe(project),
  projectFilter: z.string().optional().describe(`${project}. Left out: all projects`),
  folder: z
    .string()
    .describe(
      'tasks, plans, sessions, reports, changelog, references, scratch, assets or another folder; "" for root files such as status.md',
    ),
  folderFilter: z.string().optional().describe("Only this folder, for example: tasks"),
  filename: z.string().describe("File name as search and the lists give it, for example: 004-add-login.md"),
  status: z.enum(TASK_STATUSES).optional().describe("Only tasks of this status"),
  offset: z.number().int().min(0).max(1e9).default(0),
};

export const limit = (fallback: number, max: number) => z.number().int().min(1).max(max).default(fallback);

/** Metadata of a document as every answer gives it. */
export const metadata = {
  type: z.string().nullable(),
  status: z.string().nullable(),
  updated: z.string().nullable().describe("YYYY-MM-DD"),
};
