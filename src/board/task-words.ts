import { isTaskStatus, type TaskStatus } from "../notes/status.ts";
import { inLanguage } from "./language.ts";

const statuses = inLanguage<Record<TaskStatus, string>>({
  en: { pending: "Pending", "in-progress": "In progress", blocked: "Blocked", done: "Done" },
  es: { pending: "Pendiente", "in-progress": "En curso", blocked: "Bloqueada", done: "Hecha" },
  ja: { pending: "未着手", "in-progress": "進行中", blocked: "ブロック中", done: "完了" },
});

/** An unknown status is shown as the file has it. */
export function statusName(status: string | null): string {
  return isTaskStatus(status) ? statuses[status] : (status ?? "");
}

export const words = inLanguage({
  en: {
    priority: { high: "High", medium: "Medium", low: "Low" },
    due: (day: string) => `Due ${day}`,
    overdue: (day: string) => `Overdue: ${day}`,
    ready: "Ready",
    waits: (tasks: string) => `Waits for ${tasks}`,
    owner: (name: string) => `Owner: ${name}`,
    claim: (name: string, time: string) => `Claimed by ${name} until ${time}`,
    progress: (done: number, total: number) => `${done} of ${total} steps done`,
  },
  es: {
    priority: { high: "Alta", medium: "Media", low: "Baja" },
    due: (day: string) => `Vence el ${day}`,
    overdue: (day: string) => `Vencida: ${day}`,
    ready: "Lista",
    waits: (tasks: string) => `Espera a ${tasks}`,
    owner: (name: string) => `Responsable: ${name}`,
    claim: (name: string, time: string) => `Reservada por ${name} hasta ${time}`,
    progress: (done: number, total: number) => `${done} de ${total} pasos hechos`,
  },
  ja: {
    priority: { high: "高", medium: "中", low: "低" },
    due: (day: string) => `期限 ${day}`,
    overdue: (day: string) => `期限切れ: ${day}`,
    ready: "着手可",
    waits: (tasks: string) => `${tasks} 待ち`,
    owner: (name: string) => `担当: ${name}`,
    claim: (name: string, time: string) => `${name} が ${time} まで担当`,
    progress: (done: number, total: number) => `手順 ${total} 件中 ${done} 件完了`,
  },
});
