import { dirname, join } from "node:path/posix";
import { type FileFingerprints, openImage } from "../../index/index-image.ts";
import { groupBy, remember } from "../../lib/collections.ts";
import { escapeName, quoteForShell, quoteName } from "../../lib/escape.ts";
import { withMarkdownExtension } from "../../lib/file-names.ts";
import { counted } from "../../lib/text.ts";
import type { Link } from "../../notes/link/links.ts";
import {
  type Alias,
  isWiki,
  joinLookups,
  type LinkTarget,
  type Lookup,
  lookupOf,
  resolveLink,
} from "../../notes/link/target.ts";
import { projectOf } from "../../notes/names.ts";
import type { Relation } from "../../notes/standing/standing.ts";
import { directSuccessors, laterThan } from "../../notes/standing/successors.ts";
import { foreignGraph } from "../../storage/foreign-graph.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { readIndexFile } from "../../storage/index-file.ts";
import { type BrokenLink, eachBrokenLink } from "../links.ts";
import { type Document, textReader } from "../read.ts";
import { type DoctorContext, type Finding, note, some } from "./finding.ts";

const MAX_RENAMED = 5;

interface Missing {
  source: string;
  link: Link;
  /** Documents of the same name elsewhere. */
  candidates: readonly string[];
}

interface Broken extends Pick<Missing, "source" | "link"> {
  target: LinkTarget;
  broken: BrokenLink;
}

interface Renamed {
  from: string;
  to: string;
}

/** Collects the broken links of documents, then says what to do about them. */
export function linkChecker(context: DoctorContext) {
  const notes = lookupOf(context.scan.files.map(({ path }) => path));
  const lookup = context.repositories.reduce(joinLookups, notes);
  const textOf = textReader(context.config.root);
  const found: Broken[] = [];
  const aliases: Alias[] = [];
  const graphOf = remember((project: string) => foreignGraph(context.config.root, project));
  const foreign = new Map<string, string>();
  const said: { source: string; relations: readonly Relation[] }[] = [];
  return {
    read: (document: Document) => {
      const { path, project, facts } = document;
      if (facts.standing !== null) said.push({ source: path, ...facts.standing });
      const graph = graphOf(project);
      if (graph !== null) foreign.set(project, graph);
      if (graph !== null) return;
      aliases.push(...document.facts.aliases.map((alias) => ({ path, alias })));
      for (const one of eachBrokenLink(document, lookup, textOf)) found.push({ source: path, ...one });
    },
    findings: (): Finding[] => {
      const named = lookupOf([], aliases);
      const left = found.flatMap((one): Broken[] => {
        const target = one.target.kind === "missing" ? resolveLink(one.source, one.link, named) : one.target;
        if (target.kind === "document") return [];
        if (target.kind !== "ambiguous") return [one];
        return [{ ...one, target, broken: { ...one.broken, reason: "ambiguous" } }];
      });
      const unjudged = [...foreign].map(([project, graph]) => {
        const message = `${quoteName(project)} is a graph of ${graph}, whose links follow other rules: they are followed where ours lead.`;
        return note("links", message, `Check them in ${graph}.`);
      });
      unjudged.push(...circleFindings(said, lookup));
      if (left.length === 0) return unjudged;
      const shown = left.map(
        ({ source, broken }) => `${source}:${broken.line} ${broken.link} (${broken.reason})`,
      );
      const missing = left.flatMap(({ source, link, target }) =>
        target.kind === "missing" ? [{ source, link, candidates: target.candidates }] : [],
      );
      const message = `${counted(shown.length, "broken link")}: ${some(shown)}.`;
      const all = note("links", message, "Correct them in an editor, or create what they name.");
      return [all, ...renamedFindings(context, missing), ...unjudged];
    },
  };
}

/** Notes of which none came last. */
function circleFindings(said: Parameters<typeof directSuccessors>[0], lookup: Lookup): Finding[] {
  const direct = directSuccessors(said, lookup, () => said.map(({ source }) => source));
  const circle = [...direct.keys()].filter((path) => laterThan(path, direct).length === 0);
  if (circle.length === 0) return [];
  const message = `Notes that supersede each other in a circle: ${some(circle)}.`;
  return [note("links", message, "Decide which one holds, and remove what says that it is superseded.")];
}

/** One for each file that was renamed or moved outside while links name its old path. */
function renamedFindings(context: DoctorContext, missing: readonly Missing[]): Finding[] {
  const newPath = renames(context);
  const renamed = missing.flatMap((one) => newPath(one) ?? []);
  const groups = groupBy(renamed, ({ from, to }) => JSON.stringify([from, to]));
  return [...groups.values()].slice(0, MAX_RENAMED).flatMap((group) => {
    const [{ from, to } = { from: "", to: "" }] = group;
    const message = `${escapeName(from)} may be ${escapeName(to)} now: ${counted(group.length, "link")} to the old path.`;
    const command = `${context.program} move ${[from, to].map(quoteForShell).join(" ")}`;
    return note("links", message, `To change the links, after a look at them: ${escapeName(command, 2000)}`);
  });
}

/** Finds a missing file by the size and time that the index last knew of it, else by its name if only one has it. */
function renames({ config, scan }: DoctorContext): (missing: Missing) => Renamed | null {
  const bytes = attempt(() => readIndexFile(config.db));
  const known: FileFingerprints = (bytes && openImage(bytes)?.fingerprints) ?? new Map();
  const paths = new Set(scan.files.map(({ path }) => path));
  const gone = lookupOf([...known.keys()].filter((path) => !paths.has(path)));
  const added = groupBy(
    scan.files.filter(({ path }) => !known.has(path)),
    ({ size, mtime }) => `${size} ${mtime}`,
  );
  return ({ source, link, candidates }) => {
    const old = resolveLink(source, link, gone);
    const from = old.kind === "document" ? old.path : oldPath(source, link);
    const file = known.get(from);
    const alike = added.get(`${file?.size} ${file?.mtime}`)?.map(({ path }) => path) ?? candidates;
    const [to, ...others] = alike;
    return to === undefined || others.length > 0 ? null : { from, to };
  };
}

/** Where a missing document was, as far as its link says so. */
function oldPath(source: string, { kind, path }: Link): string {
  const project = projectOf(source);
  const isFromProject = path.startsWith("/") || (isWiki(kind) && !path.startsWith("."));
  return withMarkdownExtension(join(isFromProject ? project : dirname(source), path));
}
