import { groupBy } from "../../lib/collections.ts";
import { escapeName, quoteForShell } from "../../lib/escape.ts";
import type { TaskFacts } from "../../notes/document.ts";
import { planDrift } from "../../notes/plan/drift.ts";
import type { Document } from "../read.ts";
import { type DoctorContext, type Finding, note } from "./finding.ts";

/** Collects tasks and plans, then says which plans no longer agree with the tasks. */
export function planChecker({ program }: DoctorContext) {
  const tasks: { project: string; filename: string; number: TaskFacts["number"]; status: string | null }[] =
    [];
  const plans: Document[] = [];
  return {
    read: (document: Document) => {
      const { project, folder, filename, facts } = document;
      if (facts.task !== null)
        tasks.push({ project, filename, number: facts.task.number, status: facts.status });
      if (folder === "plans") plans.push(document);
    },
    findings: (): Finding[] => {
      const byProject = groupBy(tasks, ({ project }) => project);
      return plans.flatMap(({ project, path, text, facts }) => {
        const drift = planDrift(text, facts.bodyOffset, byProject.get(project) ?? []);
        if (drift.length === 0) return [];
        const remedy = `Correct its lists: ${program} edit ${quoteForShell(path)}`;
        return [note("plans", `${escapeName(path)} differs from the tasks: ${drift.join("; ")}.`, remedy)];
      });
    },
  };
}
