// `adj init`: shows what it found and what it would do, asks once, then has the other commands do it.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { asList } from "../../agents/log/json-fields.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { escapeLine } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { planScaffold, writeScaffold } from "../../core/commands/new/write.ts";
import { approveByHash } from "../../core/commands/trust/actions.ts";
import { refuseLinks, storeFile } from "../../core/project/files.ts";
import { diffTrust } from "../../core/project/trust/diff.ts";
import { inspectGuards } from "../../core/project/trust/guards.ts";
import { plainLine } from "../../core/terminal/text-columns.ts";
import { initHooks } from "../../hooks/commands/init-hooks.ts";
import { installFor } from "../../hooks/commands/install-hooks.ts";
import { importCommands } from "../../markdown/commands/import-commands.ts";
import { addRules } from "./hook-rules.ts";
import {
  type InitAct,
  type InitPlan,
  importArguments,
  installArguments,
  planInit,
  reportsOf,
} from "./plan.ts";
import { recordSetUp, undoSetUp } from "./record.ts";
import { addSchemaLine, describedBy, isDescribed } from "./schemas.ts";
import type { ShowPath } from "./surroundings.ts";

interface InitRun {
  readonly context: CommandContext;
  readonly program: Program;
  readonly show: ShowPath;
}

interface InitArguments {
  readonly dryRun: boolean;
  /** The kinds of acts that are not wanted. */
  readonly without: readonly InitAct["kind"][];
}

export async function initProject(
  { dryRun, without }: InitArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const show = showFrom(program.root, context.env.forChild().HOME || homedir());
  const run: InitRun = { context, program, show };
  const plan = await planInit({ ...run, without: new Set(without) });
  const shown = describePlan(plan, run);
  const facts = factsOf(plan);
  if (dryRun || plan.acts.length === 0) {
    const steps = plan.acts.length === 0 ? await listNextSteps(plan, run) : [];
    return ok([...shown, ...steps].join("\n"), { ...facts, dryRun, done: false });
  }
  await context.write(`${shown.join("\n")}\n`);
  const wanted = await requireYes(plan, run);
  const written = wanted.acts.flatMap(({ kind, file }) => (kind === "install" ? [] : [file]));
  const done = [
    ...(await recordSetUp(new Set(written), program, () => performActs(wanted.acts, run))),
    ...(wanted.mayTrust ? await trustWritten(wanted.acts, run) : []),
    // Behind trust: entries of some agents say which steps are guarded.
    ...(await installPlanned(wanted.acts, run)),
    ...(await listNextSteps(wanted, run)),
  ];
  await context.write(`${done.join("\n")}\n`);
  return ok([...shown, ...done].join("\n"), { ...factsOf(wanted), dryRun, done: true });
}

const showFrom =
  (root: string, home: string): ShowPath =>
  (file) => {
    const isBelow = (folder: string): boolean => file.startsWith(`${folder}/`);
    if (isBelow(root)) return escapeLine(relative(root, file));
    return escapeLine(isBelow(home) ? `~/${relative(home, file)}` : file);
  };

const [ALL, SOME, NONE] = ["yes, all of it", "let me choose", "no"] as const;

/** The plan with what the person wants of it. */
async function requireYes(plan: InitPlan, run: InitRun): Promise<InitPlan> {
  const { context } = run;
  const { acts, mayTrust } = plan;
  if (context.isAgreed) return plan;
  if (!context.isInteractive)
    throw fault("Required", { name: "init" }, { hint: "run it in a terminal, or say `--yes`" });
  const things = acts.length === 1 ? "this" : `these ${acts.length} things`;
  const question = `do ${things}${mayTrust ? " and trust these files" : ""}?`;
  const answer = await context.ask.select(question, [ALL, SOME, NONE]);
  if (answer === ALL) return plan;
  const chosen = answer === SOME ? await choosePart(plan, run) : { ...plan, acts: [] };
  if (chosen.acts.length === 0) throw fault("Declined", { name: "init" });
  return chosen;
}

async function choosePart(plan: InitPlan, { context, program, show }: InitRun): Promise<InitPlan> {
  // A schema goes with the file that it describes.
  const offered = plan.acts.filter(({ kind }) => kind !== "schema");
  const trust = "trust    what is written";
  const choices = [
    ...offered.map((act) => describeAct(act, show)),
    ...(plan.mayTrust ? [trust] : []),
  ];
  const wanted = new Set(await context.ask.choose("what of it?", choices));
  const chosen = offered.filter((act) => wanted.has(describeAct(act, show)));
  const files = new Set(chosen.map(({ file }) => file));
  const isForSome = (file: string): boolean => files.has(file) || existsSync(file);
  const schemas = plan.acts.filter(
    (act) => act.kind === "schema" && isForSome(describedBy(act.file, program.root)),
  );
  return { ...plan, acts: [...chosen, ...schemas], mayTrust: wanted.has(trust) };
}

// What a person is shown before.

function describePlan(plan: InitPlan, { program, show }: InitRun): string[] {
  const { agents, acts, notes, mayTrust, beside } = plan;
  const found = agents.map(({ agent, version }) => `${agent} ${version ?? ""}`.trimEnd());
  return [
    `${escapeLine(program.root)}: ${found.length === 0 ? "no agent was found" : found.join(", ")}`,
    ...(acts.length === 0 ? ["nothing to do: all is set up"] : ["to do:"]),
    ...acts.map((act) => `  ${describeAct(act, show)}`),
    ...(mayTrust ? [`  trust    ${listToTrust(acts, program.root).join(", ")}`] : []),
    ...(beside !== null && acts.length > 0
      ? [`trust is left to \`adj trust\`, which shows you ${beside} as well`]
      : []),
    ...(acts.length > 1
      ? ["what you do not want stays out by `--without command` and the like"]
      : []),
    ...(notes.length === 0 ? [] : ["also here, left as it is:"]),
    ...notes.map((note) => `  ${note}`),
  ];
}

function describeAct(act: InitAct, show: ShowPath): string {
  switch (act.kind) {
    case "import":
      return `import   ${show(act.from)} as \`${act.name}\`: ${show(act.file)}`;
    case "command":
      return `command  \`${act.name}\` for ${act.script.description}: ${show(act.file)}`;
    case "guard":
      return `guard    no lost work, no secrets, protected files: ${show(act.file)}`;
    case "hook":
      return describeHook(act, show);
    case "schema":
      return `schema   for editors: ${show(act.file)}`;
    case "install":
      return `install  hooks for ${act.agent}: ${show(act.file)}`;
  }
}

const describeHook = (act: Extract<InitAct, { kind: "hook" }>, show: ShowPath): string => {
  const loose = act.entry.unpinned === true ? ", with more than trust can hold" : "";
  const rule = `\`${act.name}\` for the other agents${loose}`;
  return `hook     \`${plainLine(act.line)}\` of ${show(act.from)} as ${rule}: ${show(act.file)}`;
};

const factsOf = ({ agents, acts, notes, advice }: InitPlan) => ({
  agents: agents.map(({ agent, version }) => ({ agent, version })),
  acts: acts.map(({ kind, file, ...act }) => ({
    kind,
    file,
    ...("name" in act ? { name: act.name } : {}),
    ...("agent" in act ? { agent: act.agent } : {}),
  })),
  notes,
  advice,
});

// What is done then, each by the command that does it alone.

async function performActs(acts: readonly InitAct[], run: InitRun): Promise<string[]> {
  const { context, program, show } = run;
  const imports = acts.flatMap((act) => (act.kind === "import" ? [act.name] : []));
  if (imports.length > 0) {
    const args = { ...importArguments("project", false), only: new Set(imports) };
    await importCommands(args, context, program);
  }
  const fresh = acts.filter(({ file }) => !existsSync(file)).map(({ file }) => file);
  for (const act of acts) {
    context.signal.throwIfAborted();
    await performAct(act, run);
  }
  const hasSchemas = acts.some(({ kind }) => kind === "schema");
  const described = new Set(fresh.filter((file) => hasSchemas && isDescribed(file, program.root)));
  for (const file of described) addSchemaLine(file);
  const files = acts.filter(({ kind }) => kind !== "install").map(({ file }) => show(file));
  return [...new Set(files)].map((file) => `wrote ${file}`);
}

async function performAct(act: InitAct, { context, program }: InitRun): Promise<void> {
  const { root } = program;
  if (act.kind === "command") await writeScaffold(scaffoldOf(act, program), null);
  if (act.kind === "guard")
    await initHooks({ action: "init", user: false, project: true }, context, program);
  if (act.kind === "hook") await addRules(act.file, [act.entry], { root, before: "adjutant: 1\n" });
  if (act.kind === "schema") {
    refuseLinks(root, act.file);
    storeFile(act.file, act.text, 0o644);
  }
}

const scaffoldOf = ({ name, script }: Extract<InitAct, { kind: "command" }>, program: Program) =>
  planScaffold(
    {
      name,
      ...{ ts: false, argv: true, md: false, workflow: false, script: false, user: false },
      description: script.description,
      words: script.argv,
    },
    program,
  );

async function installPlanned(
  acts: readonly InitAct[],
  { context, program, show }: InitRun,
): Promise<string[]> {
  const planned = acts.filter((act) => act.kind === "install");
  if (planned.length === 0) return [];
  const names = planned.map(({ agent }) => agent);
  const result = await installFor(installArguments(names, false), context, program);
  return reportsOf(result, "agents").flatMap(({ agent, file, did, nextSteps }) => [
    did === "nothing" ? `${agent} has the hooks already` : `wrote ${show(String(file))}`,
    ...asList(nextSteps).map((step) => `next: ${agent}: ${step}`),
  ]);
}

// Trust goes with the same answer only where nothing counts by it that was not shown.

/** What is written, and the files whose scripts become commands. */
function listToTrust(acts: readonly InitAct[], root: string): string[] {
  const files = acts.flatMap((act) => {
    if (act.kind === "install" || (act.kind === "hook" && act.scope === "user")) return [];
    if (act.kind === "hook") return [act.file, ...act.runs];
    // The first guards name the project's tests, which this file has.
    const manifest = join(root, "package.json");
    if (act.kind === "guard") return [act.file, ...(existsSync(manifest) ? [manifest] : [])];
    return act.kind === "command" ? [act.file, act.source] : [act.file];
  });
  return [...new Set(files)].map((file) => relative(root, file)).sort();
}

/** Whatever else changed meanwhile is left to `adj trust`, which shows it. */
async function trustWritten(
  acts: readonly InitAct[],
  { context, program }: InitRun,
): Promise<string[]> {
  const { root, stateDir } = program;
  const shown = new Set(listToTrust(acts, root));
  const { tree, changes } = await diffTrust(root, stateDir);
  if (!changes.every(({ path }) => shown.has(path))) return [];
  const { output } = await approveByHash(tree.hash, context, program);
  return [String(output)];
}

async function listNextSteps(plan: InitPlan, { program }: InitRun): Promise<string[]> {
  const { kind } = await inspectGuards(program.root, program.stateDir);
  const [first] = plan.acts.filter((act) => act.kind === "command");
  const isTrusted = kind === "trusted" || kind === "none";
  const steps = [
    ...(isTrusted ? [] : ["`adj trust`; until then what lies in `.adjutant` does not count"]),
    ...(first === undefined ? [] : [`\`adj ${first.name}\`, and \`adj commands\` for all of them`]),
    "`adj hooks test before_tool --command 'git push --force'` shows what an agent would be told",
    ...plan.advice,
    "`adj uninstall --all` takes all of this back, but for what you change in it",
  ];
  return steps.map((step) => `next: ${step}`);
}

// What `adj uninstall --all` says of it.

export function describeUndone(program: Program, isDryRun: boolean): string[] {
  const show = showFrom(program.root, homedir());
  const words = isDryRun
    ? { removed: "would remove", restored: "would give back", kept: "would keep" }
    : { removed: "removed", restored: "gave back", kept: "kept" };
  return undoSetUp(program, isDryRun).map(({ file, did }) => {
    const why = did === "kept" ? ": it was changed since `adj init` wrote it" : "";
    return `init: ${words[did]} ${show(file)}${why}`;
  });
}
