import { type ClientState, clientStates, foundRoot, servesOtherRoot } from "../../clients/client-state.ts";
import { syncedOf } from "../../git/settings.ts";
import { isWell, syncState } from "../../git/state.ts";
import { quoteName } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { realPath } from "../../storage/folders.ts";
import { describeChoice } from "../../workspace/current-project.ts";
import { examine } from "../../workspace/doctor/examine.ts";
import { type Finding, note, ok, problem } from "../../workspace/doctor/finding.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { notesHere } from "../here.ts";
import { findMergeDriver, registerDriver } from "../merge-driver.ts";
import { currentProject } from "../resolve-project.ts";
import { oneLine, painter, print, quoted } from "../terminal.ts";

interface Report {
  findings: readonly Finding[];
  fixed: ReadonlySet<Finding>;
  open: readonly Finding[];
}

export async function run(context: CommandContext): Promise<number> {
  const { config, clock, log, program, options, machine } = context;
  if (config.readOnly && options.has("fix")) throw readOnlyError();
  const findings = [
    ...(await examine({ config, clock, log, program }, process.version)),
    ...checkRootChoice(context),
    checkProject(context),
    ...checkMerging(context),
    ...checkSync(context),
    ...describeClients(clientStates(machine, foundRoot(config)), context),
  ];
  const fixed = options.has("fix") ? await fix(findings) : new Set<Finding>();
  const open = findings.filter((finding) => finding.state === "problem" && !fixed.has(finding));
  const rows = findings.map((finding) => {
    const { fix: run, ...row } = finding;
    return { ...row, fixable: run !== undefined, fixed: fixed.has(finding) };
  });
  print(context, { findings: rows }, report(context, { findings, fixed, open }));
  return open.length === 0 ? 0 : 1;
}

/** Why these notes are served, if the repository here says that it keeps notes of its own. */
function checkRootChoice({ config, machine, program }: CommandContext): Finding[] {
  const notes = notesHere(machine);
  if (notes === undefined) return [];
  const line = `${oneLine(notes.file)} says that the notes of this repository are in ${quoteName(notes.folder)}`;
  if (config.rootFrom === "repository") return [ok("notes", `${line}: these are served.`)];
  if (config.rootFrom === "setting" && notes.root === realPath(config.root)) return [];
  return notes.root === undefined
    ? [
        note(
          "notes",
          `${line}, which is missing, a link, or not in the repository.`,
          `Create it: ${program} init --in-repo ${quoted(notes.folder)}. Or correct the line.`,
        ),
      ]
    : [
        note(
          "notes",
          `${line}, but --root or VIBE_ROOT names others.`,
          "Unset VIBE_ROOT, and leave out --root, to serve them.",
        ),
      ];
}

/** Which project is current here, and why. */
function checkProject(context: CommandContext): Finding {
  const choice = currentProject(context);
  const text = `${describeChoice(choice)}.`;
  if (choice.project !== undefined) return ok("project", text);
  const create = `${context.program} init ${quoted(choice.expected || "my-project")} creates one`;
  return note("project", text, `${create}; --project or VIBE_PROJECT names another.`);
}

/** Notes in git: whether it merges them by what they say. */
function checkMerging({ config, machine, program }: CommandContext): Finding[] {
  const driver = findMergeDriver(machine, config.root);
  if (driver === undefined) return [];
  if (driver.isKnown && driver.isNamed) return [ok("merge", "git merges the notes by what they say.")];
  const message = "git merges the notes line by line, and finds conflicts where nothing contradicts.";
  const remedy = `${program} merge --register has it call this program, in this clone; ${program} doctor --fix does so, too.`;
  return [note("merge", message, remedy, () => registerDriver(machine, driver))];
}

/** What is synced with other machines, and how far. */
function checkSync({ config, clock, program }: CommandContext): Finding[] {
  return syncedOf(config.state, config.root).map(({ settings }) => {
    const name = settings.project === undefined ? "The notes" : `The project ${quoteName(settings.project)}`;
    const message = `${name}: ${syncState(settings, clock.now())}, with the branch ${settings.branch} of ${oneLine(settings.address)}.`;
    if (config.sync === "auto" && isWell(settings)) return ok("sync", message);
    const off =
      config.sync === "auto" ? "" : ` VIBE_SYNC is ${config.sync}: servers do not sync by themselves.`;
    return note("sync", `${message}${off}`, `${program} sync does it now, and says what needs a decision.`);
  });
}

/** A finding for each client, and one for all that are not connected to this workspace. */
function describeClients(states: readonly ClientState[], context: CommandContext): Finding[] {
  const { config, program } = context;
  const isUsable = (state: ClientState) => state.broken === undefined && state.missing === undefined;
  const isLeft = (state: ClientState) =>
    isUsable(state) &&
    state.plugin === undefined &&
    !state.isHere &&
    (state.entry === undefined || servesOtherRoot(state, config.root));
  const left = states.filter(isLeft);
  const others = states.filter((state) => left.length < 2 || !isLeft(state));
  if (left.length < 2) return others.map((state) => describe(state, context));
  const names = left.map(
    ({ client, entry }) => `${client.title}${entry === undefined ? "" : " (another root)"}`,
  );
  const message = `${left.length} clients do not serve this root: ${names.join(", ")}.`;
  const [first, ...more] = left.map(({ client }) => client.name);
  const remedy = `${program} connect ${first}. Likewise: ${more.join(", ")}.`;
  return [...others.map((state) => describe(state, context)), note("clients", message, remedy)];
}

/** Whether a client starts this server. */
function describe(state: ClientState, context: CommandContext): Finding {
  const { client, file, isHere, entry, missing, root, broken, plugin } = state;
  const { config, program } = context;
  const { name, title } = client;
  const connect = `${program} connect ${name}${isHere ? " --here" : ""}`;
  if (broken !== undefined)
    return problem(
      "clients",
      `${title} cannot be connected: ${file}: ${broken}.`,
      `Fix it, then: ${connect}`,
    );
  if (plugin !== undefined && entry === undefined)
    return ok("clients", `${title} starts this server by its plugin (${plugin}).`);
  if (plugin !== undefined)
    return note(
      "clients",
      `${title} starts this server twice: by its plugin, and by ${file}.`,
      `${connect} --remove takes it out of the settings.`,
    );
  if (entry === undefined)
    return note("clients", `${title} is installed but does not use this server.`, connect);
  if (missing !== undefined)
    return problem("clients", `${title} starts ${missing}, which does not exist.`, connect);
  if (servesOtherRoot(state, config.root))
    return note(
      "clients",
      `${title} serves another root: ${root}, not ${config.root} (${file}).`,
      `To connect it to this one: ${connect}`,
    );
  const verb = "command" in entry ? "starts" : "reaches";
  return ok("clients", `${title} ${verb} this server (${file}).`);
}

/** Fixes what it can; a failure does not stop the others. */
async function fix(findings: readonly Finding[]): Promise<Set<Finding>> {
  const fixed = new Set<Finding>();
  for (const finding of findings) {
    if (finding.fix === undefined) continue;
    try {
      await finding.fix();
      fixed.add(finding);
    } catch {
      // It is reported unfixed, with its remedy.
    }
  }
  return fixed;
}

const FORMATS = { ok: "green", note: "yellow", problem: "red", fixed: "green" } as const;

function report(context: CommandContext, { findings, fixed, open }: Report): string {
  const paint = painter(context);
  const lines = findings.flatMap((finding) => {
    const state = fixed.has(finding) ? "fixed" : finding.state;
    const first = `${paint(FORMATS[state], state.padEnd(8))} ${finding.check.padEnd(12)} ${oneLine(finding.message)}`;
    if (finding.remedy === undefined || state === "fixed") return [first];
    return [first, `${" ".repeat(22)}${paint("dim", oneLine(finding.remedy))}`];
  });
  const canFix = open.some((finding) => finding.fix !== undefined);
  const hint = canFix ? ` Fix what is safe to fix: ${context.program} doctor --fix` : "";
  const notes = findings.filter(({ state }) => state === "note").length;
  const problems = open.length === 0 ? "No problems" : counted(open.length, "problem");
  const end = `${problems}${notes === 0 ? "" : `; ${counted(notes, "note")}`}.${hint}`;
  return `${[...lines, "", end].join("\n")}\n`;
}
