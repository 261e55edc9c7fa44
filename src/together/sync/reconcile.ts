import type { Recorded } from "../../core/history/recorded-moves.ts";
import { groupBy } from "../../core/lib/collections.ts";
import { pauses } from "../../core/lib/pauses.ts";
import { compareText } from "../../core/lib/text.ts";
import { locateDocument, taskKey } from "../../core/notes/document.ts";
import { withoutCopies } from "../../core/notes/task/copies.ts";
import type { DocumentMove } from "../../core/workspace/move-check.ts";
import { type Moves, placesOn, renamedProjects } from "./moves.ts";
import { pathGiver } from "./numbers.ts";
import type { Tree } from "./store.ts";

/** The files as they were when both sides last agreed, as they are here, and as they are on the remote. */
export interface Sides {
  base: Tree;
  ours: Tree;
  theirs: Tree;
}

/** What says which files of the sides are one note. */
export interface Identity {
  ours: Moves;
  theirs: Moves;
  /** Whether the sides agreed on the base; if not, a note that one of them lacks was not removed there. */
  isAgreed: boolean;
}

/** One note: its paths on the sides that have it, and where it should be afterwards. */
export interface Note {
  base?: string | undefined;
  ours?: string | undefined;
  theirs?: string | undefined;
  path: string;
}

/** A file that both sides changed: the blobs of each, and of what both began with, if there was something. */
export interface Meeting {
  path: string;
  /** Its path here before the round. */
  place: string;
  base: string | undefined;
  ours: string;
  theirs: string;
}

export interface Reconciled {
  /** Without the files that have to be merged. */
  tree: Tree;
  meetings: Meeting[];
  /** The notes that stay, with their paths afterwards. */
  notes: Note[];
  /** Notes here whose path or number others have, or that others moved elsewhere: they move before the round goes on. */
  yields: DocumentMove[];
  /** Notes whose number another note has, and that can only move once they are here. */
  isUnsettled: boolean;
}

/**
 * What one side changed stays; what one side removed goes, unless the other changed it. A note that one side moved takes the
 * changes of the other along; if both moved it, it is where everybody else has it. No path and no task number is that of two notes
 * afterwards. Pure.
 */
export async function reconcile(sides: Sides, identity: Identity): Promise<Reconciled> {
  const pause = pauses();
  const all = notesOf(sides, identity).filter((note) => stays(idsOf(note, sides)));
  await pause();
  const { blocked, homeless } = placeAll(all);
  const sharing = sharingNumbers(all.filter((note) => !homeless.has(note)));
  await pause();
  const leaving = [...homeless, ...sharing.filter(canMove)];
  const pathFor = pathGiver([...sides.base.keys(), ...sides.ours.keys(), ...sides.theirs.keys()]);
  for (const note of leaving.sort((a, b) => compareText(a.path, b.path))) note.path = pathFor(note.path);
  // Links to what both moved lead to one place before the texts meet.
  const yields = movesHere(new Set([...blocked, ...leaving, ...all.filter(isMovedTwice)]), sides.ours);
  await pause();
  return { ...contentsOf(all, sides), notes: all, yields, isUnsettled: !sharing.every(canMove) };
}

/** What is known of the notes here once those that yield have moved. */
export function recordedAfter({ notes, yields }: Pick<Reconciled, "notes" | "yields">): Recorded {
  const places = new Map(yields.map(({ from, to }) => [from, to]));
  const moves = new Map<string, string>();
  const left = new Set<string>();
  for (const { base, ours } of notes) {
    if (ours === undefined) continue;
    const place = places.get(ours) ?? ours;
    if (base === undefined) left.add(place);
    else if (base !== place) moves.set(base, place);
  }
  return { moves, left };
}

/** The notes that can move before the round goes on: where they go, nothing is that stays. */
function movesHere(notes: ReadonlySet<Note>, ours: Tree): DocumentMove[] {
  const moves = new Map<string, string>();
  for (const { ours: from, path: to } of notes)
    if (from !== undefined && from !== to && locateDocument(to) !== null) moves.set(from, to);
  const isBlocked = ([, to]: [string, string]) => ours.has(to) && !moves.has(to);
  for (let stuck = [...moves].filter(isBlocked); stuck.length > 0; stuck = [...moves].filter(isBlocked))
    for (const [from] of stuck) moves.delete(from);
  return [...moves].map(([from, to]) => ({ from, to }));
}

type Ids = Record<keyof Sides, string | undefined>;

function idsOf({ base, ours, theirs }: Note, sides: Sides): Ids {
  const idIn = (tree: Tree, path: string | undefined) => (path === undefined ? undefined : tree.get(path));
  return { base: idIn(sides.base, base), ours: idIn(sides.ours, ours), theirs: idIn(sides.theirs, theirs) };
}

/** Of a file that one side removed and the other changed, the change stays. */
function stays({ base, ours, theirs }: Ids): boolean {
  if (ours === undefined) return theirs !== undefined && theirs !== base;
  return theirs !== undefined || ours !== base;
}

function contentsOf(notes: readonly Note[], sides: Sides): Pick<Reconciled, "tree" | "meetings"> {
  const tree: Tree = new Map();
  const meetings: Meeting[] = [];
  for (const note of notes) {
    const { base, ours, theirs } = idsOf(note, sides);
    const { path, ours: place = path } = note;
    const [one, other] = [ours ?? theirs, theirs ?? ours];
    if (one === undefined || other === undefined) continue;
    if (one === other) tree.set(path, one);
    else if (one === base || other === base) tree.set(path, one === base ? other : one);
    else meetings.push({ path, place, base, ours: one, theirs: other });
  }
  return { tree, meetings };
}

/** All notes of all sides, with the paths that they should have. */
function notesOf(sides: Sides, { ours, theirs, isAgreed }: Identity): Note[] {
  const common = commonNotes(sides, { ours, theirs }).filter(
    (note) => isAgreed || (note.ours !== undefined && note.theirs !== undefined),
  );
  const known = {
    ours: new Set(common.map((note) => note.ours)),
    theirs: new Set(common.map((note) => note.theirs)),
  };
  const follow = {
    ours: renamedProjects(sides.base, sides.ours, ours),
    theirs: renamedProjects(sides.base, sides.theirs, theirs),
  };
  const others = [...sides.theirs.keys()].flatMap((path): Note[] =>
    known.theirs.has(path) ? [] : [{ theirs: path, path: follow.ours(path) }],
  );
  const byPath = new Map(others.map((note) => [note.path, note]));
  const own = [...sides.ours.keys()].flatMap((path): Note[] => {
    if (known.ours.has(path)) return [];
    const note = { ours: path, path: follow.theirs(path) };
    const twin = byPath.get(note.path);
    if (twin === undefined || (isAgreed && areTwoTasks(twin, path, sides))) return [note];
    twin.ours = path;
    return [];
  });
  return [...common, ...others, ...own];
}

/** Two tasks that were created with one name are not one task. */
function areTwoTasks({ theirs = "" }: Note, ours: string, sides: Sides): boolean {
  return taskKey(ours) !== undefined && sides.ours.get(ours) !== sides.theirs.get(theirs);
}

/** The notes of the base. What both sides moved to one path is the same, even if one of them says so alone. */
function commonNotes({ base, ours, theirs }: Sides, moves: Pick<Identity, "ours" | "theirs">): Note[] {
  const placeIn = { ours: placesOn(ours, moves.ours), theirs: placesOn(theirs, moves.theirs) };
  const notes = [...base.keys()].map((path): Note => {
    return { base: path, ours: placeIn.ours(path), theirs: placeIn.theirs(path), path };
  });
  const known = {
    ours: new Set(notes.map((note) => note.ours)),
    theirs: new Set(notes.map((note) => note.theirs)),
  };
  const isNew = (side: Tree, paths: ReadonlySet<string | undefined>, path: string | undefined) =>
    path !== undefined && side.has(path) && !paths.has(path);
  for (const note of notes) {
    if (note.theirs === undefined && isNew(theirs, known.theirs, note.ours)) note.theirs = note.ours;
    else if (note.ours === undefined && isNew(ours, known.ours, note.theirs)) note.ours = note.theirs;
    const isMovedThere = note.theirs !== undefined && note.theirs !== note.base;
    note.path = (isMovedThere ? note.theirs : (note.ours ?? note.theirs)) ?? note.path;
  }
  return notes;
}

/** Takes back moves to paths that others have; `homeless` are the notes of ours that have no other place. */
function placeAll(notes: readonly Note[]): { blocked: Note[]; homeless: Set<Note> } {
  const all: Note[] = [];
  const taken = new Set<string>();
  let open: Note[] = [];
  for (const note of notes)
    if (note.theirs === note.path) taken.add(note.path);
    else open.push(note);
  for (;;) {
    const blocked = open.filter(({ path, theirs }) => theirs !== undefined && taken.has(path));
    if (blocked.length === 0) break;
    for (const note of blocked) {
      all.push(note);
      note.path = note.theirs ?? note.path;
      taken.add(note.path);
    }
    open = open.filter(({ path, theirs }) => path !== theirs);
  }
  // What others have already comes first.
  open.sort((a, b) => Number(a.theirs === undefined) - Number(b.theirs === undefined));
  return { blocked: all, homeless: new Set(open.filter(({ path }) => taken.has(path) || !taken.add(path))) };
}

/** All but one of the tasks with one number, without copies: others' tasks keep theirs, and among those the first by path. */
function sharingNumbers(notes: readonly Note[]): Note[] {
  const groups = groupBy(withoutCopies(notes), ({ path }) => taskKey(path));
  groups.delete(undefined);
  const isOwn = ({ path, theirs }: Note) => Number(path !== theirs);
  return [...groups.values()].flatMap((group) =>
    group.length === 1
      ? []
      : [...group].sort((a, b) => isOwn(a) - isOwn(b) || compareText(a.path, b.path)).slice(1),
  );
}

function isMovedTwice({ base, ours, theirs, path }: Note): boolean {
  return base !== undefined && base !== ours && base !== theirs && theirs === path;
}

/** A note that others moved goes where they have it first. */
function canMove({ base, ours, theirs }: Note): boolean {
  return ours !== undefined && (theirs === undefined || theirs === base);
}
