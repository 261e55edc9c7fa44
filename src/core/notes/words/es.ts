import type { NoteWords } from "./type.ts";

export const es = {
  stopWords: `el la los las un una unos unas y o u de del al a en por para con sin sobre entre es son fue era ser esta este esto estos
    estas ese esa eso que cual quien como cuando donde se lo le les su sus mi mis tu tus te nos si no mas pero hay ha han he muy ya`,
  letters: "ñ¿¡",
  statuses: {
    pending: "pendiente, por hacer, sin empezar, abierta, abierto",
    "in-progress": "en progreso, en curso, en proceso, haciendo",
    review: "en revisión, en revision, revisión, revision, por revisar, pendiente de revisión",
    done: "hecho, hecha, completado, completada, terminado, terminada, finalizado, finalizada, cerrado, cerrada",
    blocked: "bloqueado, bloqueada, en espera, pausado, pausada",
    cancelled: `cancelado, cancelada, anulado, anulada, descartado, descartada, rechazado, rechazada, desestimado, desestimada, abandonado,
      abandonada, no se hará, no se hara, no planificado, no planificada, obsoleto, obsoleta, duplicado, duplicada`,
  },
  priorities: {
    high: "alta, alto, urgente, crítica, critica, crítico, critico, máxima, maxima",
    medium: "media, medio",
    low: "baja, bajo, mínima, minima",
  },
  sections: {
    objective: "objetivo",
    context: "contexto",
    steps: "pasos",
    criteria: "criterios de aceptación, criterios",
    notes: "notas",
    overview: "resumen, visión general",
    currentStatus: "estado actual",
  },
  session: {
    done: "lo que hice, lo que hicimos, lo hecho, que hice, hecho, completado, avances",
    blocked: "bloqueado por, bloqueada por, bloqueado, bloqueos, bloqueo, bloqueantes, bloqueadores",
    next: `proximo, proxima, proximos, proximo paso, proximos pasos, siguiente, siguientes, siguiente paso,
    siguientes pasos, lo siguiente, lo proximo, pendiente, por hacer`,
  },
  decisions: `decisiones, decision, decisiones tomadas, decisiones recientes, decisiones clave, decisiones tecnicas,
    decisiones de diseno`,
  headings: {
    now: "estado actual, proximo, proximos, proxima, proximas, bloqueos, bloqueado por, decisiones",
    goal: "objetivo, aceptacion",
  },
  labels: {
    status: "estado",
    priority: "prioridad",
    order: "orden",
    due: "vence, vencimiento, fecha límite, fecha limite, fecha de vencimiento",
    owner: "responsable, asignado a, asignada a",
    tags: "etiquetas, etiqueta",
    dependencies: "dependencias, dependencia, depende de, bloqueado por, bloqueada por",
    files: "archivos relacionados, archivos, ficheros relacionados, ficheros",
  },
  updated: "actualizado, actualización, actualizacion, modificado, modificación, modificacion",
  aroundUpdated: "última, ultima, fecha, de",
  task: "tarea",
  otherFiles: { template: "plantilla", overview: "léeme, leeme, índice, indice" },
  counted: "tarea, tareas",
  none: "ninguna, ninguno, nada",
  yes: "s, sí, si",
} satisfies NoteWords;
