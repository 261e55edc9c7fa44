import { maskAddresses } from "../../core/git/address.ts";
import { git } from "../../core/git/ask-git.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { counted, plural } from "../../core/lib/text.ts";
import type { Lookup } from "../../core/notes/link/target.ts";
import { realPath } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { examine } from "../../core/workspace/doctor/examine.ts";
import { type Finding, note, ok, problem } from "../../core/workspace/doctor/finding.ts";
import { describeChoice } from "../../core/workspace/place/choose-project.ts";
import { notesHere } from "../../core/workspace/place/repository-notes.ts";
import { listStaleSettled, staleCount } from "../../core/workspace/stale-list.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { type ClientState, clientStates, isLeft, servesOtherRoot } from "../../setup/clients/client-state.ts";
import { syncedOf } from "../../together/sync/settings.ts";
import { isWell, syncState } from "../../together/sync/state.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { findMergeDriver, registerDriver } from "../merge-driver.ts";
import { currentProject, nameToCreate, withWorkspace } from "../resolve-project.ts";
import { oneLine, painter, print, quoted } from "../terminal.ts";

interface Report {
  /** What no longer holds, since it was fixed just now. */
  fixed: readonly Finding[];
  /** What holds now, in the order in which a person would look at it. */
  present: readonly Finding[];
}

export async function run(context: CommandContext): Promise<number> {
  const { config, options } = context;
  if (config.readOnly && options.has("fix")) throw readOnlyError();
  const found = await findings(context);
  const tried = options.has("fix") ? await fix(found) : [];
  const present = tried.length === 0 ? found : await findings(context);
  const isOpen = ({ check, message }: Finding) =>
    present.some((finding) => finding.check === check && finding.message === message);
  const fixed = tried.filter((finding) => !isOpen(finding));
  const rows = [...fixed, ...present].map((finding) => {
    const { fix: run, leftOut: _, ...row } = finding;
    return { ...row, fixable: run !== undefined, fixed: fixed.includes(finding) };
  });
  const left_out = present.flatMap(({ leftOut }) => leftOut ?? []);
  print(context, { findings: rows, left_out }, report(context, { fixed, present }));
  return present.some(({ state }) => state === "problem") ? 1 : 0;
}

const ORDER = ["ok", "problem", "note"];

/** What is well; then what to do, the most urgent first. */
async function findings(context: CommandContext): Promise<Finding[]> {
  const { config, clock, log, program, machine } = context;
  const { documents, repositories, stale } = await withWorkspace(context, (workspace) =>
    describeRepositories(context, workspace),
  );
  const all = [
    ...(await examine({ config, clock, log, program, repositories }, process.version)),
    ...documents,
    ...checkRootChoice(context),
    checkProject(context),
    ...(await checkMerging(context)),
    ...checkSync(context),
    ...describeClients(clientStates(machine, config), context),
    ...stale,
  ];
  return all.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** The documents of repositories that are known here: how many there are, where links lead in them, and which notes name what they no longer have. */
async function describeRepositories(context: CommandContext, workspace: Workspace) {
  const repositories: Lookup[] = [];
  const documents: Finding[] = [];
  const stale: Finding[] = [];
  for (const project of attempt(() => workspace.projectNames()) ?? []) {
    const own = workspace.documentsOf(project);
    if (own === undefined) continue;
    const { length } = (await own.scan()).files;
    const are = plural(length, "is", "are");
    const served = `${counted(length, "Markdown file")} of ${own.folder} ${are} searched with the notes of ${quoteName(project)}`;
    const narrowed = await own.leftOut();
    const others = narrowed === 0 ? "" : `, and the ${narrowed} that a line vibe-docs leaves out`;
    const message = `${served}; not hidden ones, those that git ignores, other formats${others}.`;
    documents.push(ok("documents", message));
    repositories.push(await own.lookup());
    const listed = await listStaleSettled(workspace, project);
    const list = `${context.program} stale ${quoted(project)} lists them.`;
    if (listed.length > 0) stale.push(note("stale", `${quoteName(project)}: ${staleCount(listed)}.`, list));
  }
  return { documents, repositories, stale };
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
          `Create it: ${program} init --in-repo --folder ${quoted(notes.folder)}. Or correct the line.`,
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
  const create = `${context.program} init ${quoted(nameToCreate(choice.expected) ?? "my-project")} creates one`;
  return note("project", text, `${create}; --project or VIBE_PROJECT names another.`);
}

/** Notes in git: whether it merges them by what they say. */
async function checkMerging({ config, machine, program }: CommandContext): Promise<Finding[]> {
  const driver = await findMergeDriver(machine, config.root);
  const isIgnored =
    driver !== undefined && (await git(machine, driver.root, ["check-ignore", "--", "a.md"])) !== undefined;
  if (driver === undefined || isIgnored) return [];
  const register = `${program} merge --register`;
  const fix = () => registerDriver(machine, driver);
  const { isKnown, isNamed, missing, fallsBack } = driver;
  if (isKnown && missing !== undefined) {
    const instead = fallsBack ? "git merges the notes line by line" : "a conflict shows only your side";
    const message = `git starts ${quoteName(missing)} to merge the notes, which is missing: ${instead}.`;
    return [
      problem("merge", message, `${register} names this program; ${program} doctor --fix does so, too.`, fix),
    ];
  }
  if (isKnown && !fallsBack) {
    const message =
      "git calls this program in an earlier way: if it is ever missing, a conflict shows only your side.";
    return [problem("merge", message, `${register} renews it; ${program} doctor --fix does so, too.`, fix)];
  }
  if (isKnown && isNamed) return [ok("merge", "git merges the notes by what they say.")];
  const message = "git merges the notes line by line, and finds conflicts where nothing contradicts.";
  const remedy = `${register} has it call this program, in this clone; ${program} doctor --fix does so, too.`;
  return [note("merge", message, remedy, fix)];
}

/** What is synced with other machines, and how far. */
function checkSync({ config, clock, program }: CommandContext): Finding[] {
  return syncedOf(config.state, config.root).map(({ settings }) => {
    const name = settings.project === undefined ? "The notes" : `The project ${quoteName(settings.project)}`;
    const message = `${name}: ${syncState(settings, clock.now())}, with the branch ${settings.branch} of ${oneLine(maskAddresses(settings.address))}.`;
    if (config.sync === "auto" && isWell(settings)) return ok("sync", message);
    const off =
      config.sync === "auto" ? "" : ` VIBE_SYNC is ${config.sync}: servers do not sync by themselves.`;
    return note("sync", `${message}${off}`, `${program} sync does it now, and says what needs a decision.`);
  });
}

/** A finding for each client, and one for all that are not connected to this workspace. */
function describeClients(states: readonly ClientState[], context: CommandContext): Finding[] {
  const { config, program } = context;
  const left = states.filter((state) => state.missing === undefined && isLeft(state, config.root));
  const others = left.length < 2 ? states : states.filter((state) => !left.includes(state));
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

/** Fixes what it can, and returns what it tried; a failure does not stop the others. */
async function fix(findings: readonly Finding[]): Promise<Finding[]> {
  const tried = findings.filter((finding) => finding.fix !== undefined);
  for (const finding of tried) {
    try {
      await finding.fix?.();
    } catch {
      // It is found again, with its remedy.
    }
  }
  return tried;
}

const FORMATS = { ok: "green", note: "yellow", problem: "red", fixed: "green" } as const;

function report(context: CommandContext, { fixed, present }: Report): string {
  const paint = painter(context);
  const line = (state: keyof typeof FORMATS, { check, message }: Finding) =>
    `${paint(FORMATS[state], state.padEnd(8))} ${check.padEnd(12)} ${oneLine(message)}`;
  const well = present.filter(({ state }) => state === "ok");
  const open = present.filter(({ state }) => state !== "ok");
  const todo = open.flatMap((finding) => [
    line(finding.state, finding),
    `${" ".repeat(22)}${paint("dim", oneLine(finding.remedy ?? ""))}`,
  ]);
  const problems = open.filter(({ state }) => state === "problem");
  const canFix = problems.some((finding) => finding.fix !== undefined);
  const hint = canFix ? ` Fix what is safe to fix: ${context.program} doctor --fix` : "";
  const notes = open.length - problems.length;
  const counts = problems.length === 0 ? "No problems" : counted(problems.length, "problem");
  return [
    ...fixed.map((finding) => line("fixed", finding)),
    ...well.map((finding) => line("ok", finding)),
    ...(todo.length === 0 ? [] : ["", "To do, in this order:", ...todo]),
    "",
    `${counts}${notes === 0 ? "" : `; ${counted(notes, "note")}`}.${hint}`,
    "",
  ].join("\n");
}
