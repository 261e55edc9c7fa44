import { NO_WORDS, type NoteWords } from "./type.ts";

export const pt = {
  ...NO_WORDS,
  statuses: {
    pending: "pendente, a fazer, aberto, aberta, não iniciado, não iniciada, planejado, planejada",
    "in-progress": "em andamento, em progresso, em curso, fazendo, iniciado, iniciada",
    review: "em revisão, a revisar, para revisão",
    done: "feito, feita, concluído, concluída, concluido, concluida, finalizado, finalizada, fechado, fechada, pronto, pronta",
    blocked: "parado, parada, aguardando, em espera, suspenso, suspensa",
    cancelled: "rejeitado, rejeitada, descartado, descartada, obsoleto, obsoleta",
  },
  standings: {
    superseded: "substituído, substituída",
    deprecated: "descontinuado, descontinuada, depreciado, depreciada",
    obsolete: "obsoleto, obsoleta",
    rejected: "rejeitado, rejeitada, recusado, recusada",
    proposed: "proposto, rascunho",
  },
  sections: {
    ...NO_WORDS.sections,
    steps: "passos",
    criteria: "critérios de aceitação, critérios de aceite",
  },
  decisions: "decisoes, decisao, decisoes tomadas",
  labels: {
    ...NO_WORDS.labels,
    state: "situação, situacao",
    superseded_by: "substituído por, substituída por, substituido por, substituida por",
    supersedes: "substitui",
  },
  updated: "atualizado, atualização, modificação",
  aroundUpdated: "data, em",
  past: `removido, removida, excluído, excluída, apagado, apagada, renomeado, renomeada, antigo, antiga, antes, já não,
    não existe mais`,
  history: "histórico, registro de alterações, alterações, notas de versão",
} satisfies NoteWords;
