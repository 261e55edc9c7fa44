import { localDate } from "../../../core/lib/clock.ts";
import { projects } from "./projects.ts";

export interface DemoFile {
  /** Workspace-relative, with `/`. */
  path: string;
  content: string;
}

/** The example workspace, dated so that its last session was yesterday. */
export function demoFiles(today: Date): DemoFile[] {
  const dated = (text: string) =>
    text.replace(/\{today([+-]\d+)\}/g, (_, days: string) =>
      localDate(new Date(today.getFullYear(), today.getMonth(), today.getDate() + Number(days))),
    );
  return Object.entries(projects).flatMap(([project, files]) =>
    Object.entries(files).map(([path, content]) => ({
      path: dated(`${project}/${path}`),
      content: dated(content),
    })),
  );
}
