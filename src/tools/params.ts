import * as z from "zod";
import { TASK_STATUSES } from "../domain/status.ts";

/** Parameters that several tools share, made where they are used. Every word is paid for by every client in every session. */
export const params = {
  project: () => z.string().describe("Name, e.g. payments-api"),
  projectFilter: () => z.string().optional().describe("Name; all if left out"),
  folder: () => z.string().describe('E.g. references; "" for root files'),
  filename: () => z.string().describe("E.g. 004-add-login.md"),
  status: () => z.enum(TASK_STATUSES).optional(),
  planFilename: () => z.string().default("execution-plan.md"),
  frontmatter: () => z.record(z.string(), z.unknown()).optional(),
  expectedHash: () => z.string().optional().describe("hash as you read it"),
  offset: () => z.number().int().min(0).default(0),
};

/** How many of something an answer counts. */
export const count = () => z.number().int();

export const limit = (fallback: number, max: number) => z.number().int().min(1).max(max).default(fallback);

/** Metadata of a document as every answer gives it. */
export const metadata = () => ({
  type: z.string().nullable(),
  status: z.string().nullable(),
  updated: z.string().nullable().describe("YYYY-MM-DD"),
});

/** What every answer about a written document begins with. */
export const written = () => ({
  success: z.boolean(),
  path: z.string(),
  indexed: z.boolean().describe("Search knows it already"),
});
