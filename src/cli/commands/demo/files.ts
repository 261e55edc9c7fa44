import { localDate } from "../../../lib/clock.ts";
import { projects } from "./projects.ts";

export interface DemoFile {
  /** Workspace-relative, with `/`. */
  path: string;
  content: string;
}

function dayFrom(today: Date, days: number): string {
  return localDate(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));
}

/** The example workspace, dated so that its last session was yesterday. */
export function demoFiles(today: Date): DemoFile[] {
  const dated = (text: string) =>
    text.replace(/\{today([+-]\d+)\}/g, (_, days: string) => dayFrom(today, Number(days)));
  return Object.entries(projects).flatMap(([project, files]) =>
    Object.entries(files).map(([path, content]) => ({
      path: dated(`${project}/${path}`),
      content: dated(content),
    })),
  );
}
