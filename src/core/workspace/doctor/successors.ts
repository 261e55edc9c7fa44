import { lookupOf } from "../../notes/link/target.ts";
import { circlesIn, directSuccessors, type SourcedRelation } from "../../notes/standing/successors.ts";
import type { Document } from "../read.ts";
import { type DoctorContext, type Finding, note, some } from "./finding.ts";

/** Collects which document takes the place of which, then names those of which none is the last. */
export function successorChecker({ scan }: DoctorContext) {
  const relations: SourcedRelation[] = [];
  return {
    read: ({ path, facts }: Document) => {
      relations.push(...facts.standing.relations.map((relation) => ({ ...relation, source: path })));
    },
    findings: (): Finding[] => {
      const paths = scan.files.map(({ path }) => path);
      const direct = directSuccessors(relations, lookupOf(paths), () => paths);
      return circlesIn(direct).map((circle) => {
        const message = `${circle.length} documents supersede each other in a circle: ${some(circle)}.`;
        return note("superseded", message, "Remove what the last one says of being superseded.");
      });
    },
  };
}
