/** An answer further down the ranking does not count. */
export const DEPTH = 10;

/** The outcome of one query. */
export interface Outcome {
  class: string;
  /** Place of the first right document, from 1; Infinity if it is not among the first `DEPTH`. */
  place: number;
  /** Whether a right document is among the first five, and its passage holds the answer; undefined if that is not known. */
  isAnswered?: boolean | undefined;
  /** The characters of what a client gets. */
  chars: number;
}

/** Percentages. */
export interface Figures {
  queries: number;
  /** The mean of 1 / place. */
  mrr: number;
  /** How often a right document was among the first 1, 5 and 10. */
  recall1: number;
  recall5: number;
  recall10: number;
  /** How often the answer was in the answer. */
  answered: number;
  /** No percentage: the mean characters of an answer, whether or not it holds the answer. */
  chars: number;
}

/** The place of the first right path, without the paths of `ignore`. */
export function placeOf(ranking: readonly string[], relevant: readonly string[], ignore: readonly string[]) {
  const [right, passed] = [normalized(relevant), normalized(ignore)];
  const counted = ranking.map((path) => path.normalize()).filter((path) => !passed.has(path));
  const at = counted.slice(0, DEPTH).findIndex((path) => right.has(path));
  return at === -1 ? Number.POSITIVE_INFINITY : at + 1;
}

function normalized(paths: readonly string[]): Set<string> {
  return new Set(paths.map((path) => path.normalize()));
}

export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const share = (value: (place: number) => number) =>
    (100 * outcomes.reduce((sum, { place }) => sum + value(place), 0)) / Math.max(outcomes.length, 1);
  return {
    queries: outcomes.length,
    mrr: share((place) => 1 / place),
    recall1: share((place) => Number(place <= 1)),
    recall5: share((place) => Number(place <= 5)),
    recall10: share((place) => Number(place <= DEPTH)),
    answered: answeredShare(outcomes),
    chars: outcomes.reduce((sum, { chars }) => sum + chars, 0) / Math.max(outcomes.length, 1),
  };
}

/** How much a client reads for one that holds the answer. */
export function charsPerAnswer({ chars, answered }: Pick<Figures, "chars" | "answered">): string {
  return answered === 0 ? "-" : ((100 * chars) / answered).toFixed(0);
}

function answeredShare(outcomes: readonly Outcome[]): number {
  const known = outcomes.filter(({ isAnswered }) => isAnswered !== undefined);
  return (100 * known.filter(({ isAnswered }) => isAnswered).length) / Math.max(known.length, 1);
}

/** Figures of each class, in alphabetical order. */
export function byClass(outcomes: readonly Outcome[]): Map<string, Figures> {
  const names = [...new Set(outcomes.map((outcome) => outcome.class))].sort();
  return new Map(
    names.map((name) => [name, figuresOf(outcomes.filter((outcome) => outcome.class === name))]),
  );
}

/** The mean over classes: a class of four queries weighs as much as one of forty. */
export function macroOf(classes: ReadonlyMap<string, Figures>): Figures {
  const all = [...classes.values()];
  const sum = (name: keyof Figures) => all.reduce((total, figures) => total + figures[name], 0);
  const mean = (name: keyof Figures) => sum(name) / Math.max(all.length, 1);
  const recalls = { recall1: mean("recall1"), recall5: mean("recall5"), recall10: mean("recall10") };
  return {
    queries: sum("queries"),
    mrr: mean("mrr"),
    ...recalls,
    answered: mean("answered"),
    chars: mean("chars"),
  };
}

/** The value that this share of the values does not exceed; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
