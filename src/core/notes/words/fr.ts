import { NO_WORDS, type NoteWords } from "./type.ts";

export const fr = {
  ...NO_WORDS,
  statuses: {
    pending: "à faire, a faire, ouvert, ouverte, planifié, planifiée, non commencé",
    "in-progress": "en cours, en progrès, commencé, commencée",
    review: "en revue, à relire, en relecture, à valider",
    done: "fait, faite, terminé, terminée, fini, finie, achevé, achevée, fermé, fermée",
    blocked: "bloqué, bloquée, en attente, en pause, suspendu, suspendue",
    cancelled: "annulé, annulée, abandonné, abandonnée, rejeté, rejetée, obsolète",
  },
  standings: {
    superseded: "remplacé, remplacée",
    deprecated: "déprécié, dépréciée",
    obsolete: "obsolète, périmé, périmée",
    rejected: "rejeté, rejetée, refusé, refusée",
    proposed: "proposé, proposée, proposition, brouillon",
  },
  sections: {
    ...NO_WORDS.sections,
    steps: "étapes",
    criteria: "critères d'acceptation, critères d’acceptation",
  },
  decisions: "decisions prises",
  labels: {
    ...NO_WORDS.labels,
    status: "statut",
    state: "état, etat",
    superseded_by: "remplacé par, remplacée par, remplace par, remplacee par",
    supersedes: "remplace",
  },
  updated: "modifié, modifiée, mis à jour, mise à jour",
  aroundUpdated: "dernière, le",
  past: `supprimé, supprimée, retiré, retirée, renommé, renommée, ancien, ancienne, autrefois, auparavant,
    n'existe plus`,
  history: "historique, journal des modifications, notes de version",
} satisfies NoteWords;
