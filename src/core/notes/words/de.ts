import { NO_WORDS, type NoteWords } from "./type.ts";

export const de = {
  ...NO_WORDS,
  statuses: {
    pending: "offen, ausstehend, geplant, zu tun, nicht begonnen",
    "in-progress": "in arbeit, in bearbeitung, begonnen, angefangen, läuft",
    review: "in prüfung, zu prüfen, im review",
    done: "erledigt, fertig, abgeschlossen, beendet, geschlossen",
    blocked: "blockiert, wartet, pausiert, zurückgestellt",
    cancelled: "abgebrochen, verworfen, abgelehnt, storniert",
  },
  past: `entfernt, gelöscht, umbenannt, weggefallen, entfallen, alte, altes, alten, früher, ehemals, nicht mehr`,
  history: "änderungen, änderungsprotokoll, verlauf, versionshinweise",
} satisfies NoteWords;
