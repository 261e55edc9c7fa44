import { NO_WORDS, type NoteWords } from "./type.ts";

export const de = {
  ...NO_WORDS,
  statuses: {
    pending: "offen, ausstehend, geplant, zu tun, nicht begonnen",
    "in-progress": "in arbeit, in bearbeitung, begonnen, angefangen, läuft",
    review: "in prüfung, zu prüfen, im review",
    done: "erledigt, fertig, abgeschlossen, beendet, geschlossen",
    blocked: "blockiert, wartet, pausiert, zurückgestellt",
    cancelled: "abgebrochen, verworfen, abgelehnt, storniert, veraltet, obsolet",
  },
  standings: {
    superseded: "abgelöst",
    deprecated: "missbilligt",
    obsolete: "veraltet, überholt, obsolet, nicht mehr gültig",
    rejected: "abgelehnt, verworfen",
    proposed: "vorgeschlagen, vorschlag, entwurf",
  },
  sections: {
    ...NO_WORDS.sections,
    steps: "schritte",
    criteria: "akzeptanzkriterien, abnahmekriterien",
    notes: "notizen",
  },
  decisions: "entscheidungen, entscheidung, getroffene entscheidungen, beschlusse, beschluss",
  labels: {
    ...NO_WORDS.labels,
    superseded_by: "ersetzt durch, abgelöst durch, abgelost durch, abgelöst von, abgelost von, nachfolger",
    supersedes: "vorgänger, vorganger",
  },
  updated: "geändert, aktualisiert, änderung, aktualisierung, bearbeitet",
  aroundUpdated: "zuletzt, letzte, am, datum",
  past: `entfernt, gelöscht, umbenannt, weggefallen, entfallen, alte, altes, alten, früher, ehemals, nicht mehr`,
  history: "änderungen, änderungsprotokoll, verlauf, versionshinweise",
} satisfies NoteWords;
