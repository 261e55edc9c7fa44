import { localDate } from "../../../core/lib/clock.ts";
import { paymentsApi } from "./payments-api.ts";

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
  return Object.entries(paymentsApi).map(([path, content]) => ({
    path: dated(`payments-api/${path}`),
    content: dated(content),
  }));
}
