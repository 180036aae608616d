// Granting and taking back trust. Only a person does either: both decide which code and which guards run.
import { join } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { type Fault, fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { escapeLine } from "../../command/words.ts";
import { listFolder } from "../../project/files.ts";
import { approveProject, readTrustManifest, revokeApproval } from "../../project/trust/approval.ts";
import { diffTrust, type TrustChange, type TrustDiff } from "../../project/trust/diff.ts";
import { inspectGuards } from "../../project/trust/guards.ts";
import { type GuardState, inspectTrust, type TrustState } from "../../project/trust/inspect.ts";
import type { Uncovered } from "../../project/trust/pins.ts";
import { readCurrentHash, readPins } from "../../project/trust/store.ts";
import type { Tree } from "../../project/trust/tree.ts";
import { formatLocalTime } from "../../terminal/render.ts";
import { formatTable } from "../../terminal/text-columns.ts";
import type { Program } from "../bundled.ts";

const MAX_SHOWN = 50;

export async function askToApprove(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { root, stateDir } = program;
  const before = await inspectTrust(root, stateDir);
  if (before.kind === "none") throw await nothingToTrust(program);
  const diff = await diffTrust(root, stateDir);
  const { tree } = diff;
  const isNewest = (await inspectGuards(root, stateDir)).kind === "trusted";
  if (before.kind === "trusted" && isNewest && before.asIs.length === 0 && isListed(before, tree))
    return reportTrusted(root, tree);
  const notes = await listNotes(context, program);
  const changes = describeChanges(root, diff, before.kind === "untrusted");
  const shown = `${changes}${notes}`;
  await context.write(shown);
  requirePerson(context, `or give the hash you checked: \`adj trust --hash ${tree.hash}\``);
  const question = `trust ${countFiles(tree.files.length)} of ${escapeLine(root)}?`;
  if (!(await context.ask.confirm(question))) throw fault("Declined", { name: "trust" });
  // By the hash that was shown: what changed in the meantime was not agreed to.
  const result = await grantTrust(tree.hash, { before, context, program, isShown: true });
  await context.write(`${result.output}\n`);
  return { ...result, output: `${shown}${result.output}` };
}

/** An older version approved the same files and knew nothing of packages. */
function isListed({ copyDir }: { readonly copyDir: string }, { pins }: Tree): boolean {
  const known = readPins(copyDir)?.packages ?? [];
  return (pins.packages ?? []).every((name) => known.includes(name));
}

/** What the features want to be known of the project beside what is trusted. */
async function listNotes(context: CommandContext, program: Program): Promise<string> {
  const notes: string[] = [];
  for (const { trustNotes } of program.features)
    notes.push(...((await trustNotes?.(context, program)) ?? []));
  return notes.map((note) => `${escapeLine(note)}\n`).join("");
}

function reportTrusted(root: string, { hash, pins }: Tree): CommandResult {
  const { uncovered } = pins;
  const lines = [`${escapeLine(root)} is trusted as it is`, ...listUncovered(root, uncovered)];
  return ok(lines.join("\n"), { root, state: "trusted", hash, uncovered: factsOf(uncovered) });
}

function describeChanges(root: string, { tree, changes }: TrustDiff, isFirst: boolean): string {
  const { hash, pins } = tree;
  // A program that a file names but nobody put there yet has no fingerprint.
  const programs = Object.keys(tree.programs).filter((path) => tree.programs[path] !== null);
  const loose = new Set(pins.uncovered.flatMap(({ paths }) => paths));
  const pinned = programs.filter((path) => !loose.has(path)).map(escapeLine);
  const lines = listChanges(changes);
  const more = lines.length - MAX_SHOWN;
  return [
    isFirst
      ? `what can run in ${escapeLine(root)}:`
      : `what changed in ${escapeLine(root)} since you trusted it:`,
    ...lines.slice(0, MAX_SHOWN),
    ...(more > 0 ? [`  and ${more} more; see all with \`adj trust --diff\``] : []),
    ...(pinned.length === 0 ? [] : [`programs it names: ${pinned.join(", ")}`]),
    ...listUncovered(root, pins.uncovered),
    `hash ${hash}`,
    "",
  ].join("\n");
}

/** What runs as it is, whatever was approved: a line each, and one for all programs of the system. */
function listUncovered(root: string, uncovered: readonly Uncovered[]): string[] {
  const ofProject = uncovered.filter(({ isOfProject }) => isOfProject);
  const ofSystem = uncovered.filter(({ isOfProject }) => !isOfProject);
  const lines = new Set(ofProject.map((one) => `  ${escapeLine(describeUncovered(root, one))}`));
  const names = [...new Set(ofSystem.map(({ what }) => what.split(",")[0] ?? what))].sort();
  return [
    ...(lines.size === 0 ? [] : ["not covered, a change of it counts at once:", ...lines]),
    ...(names.length === 0 ? [] : [`programs of the system: ${escapeLine(names.join(", "))}`]),
  ];
}

function describeUncovered(root: string, { where, what, paths }: Uncovered): string {
  const file = where.startsWith(`${root}/`) ? where.slice(root.length + 1) : where;
  // A line is enough to find it.
  const shown = file.replace(/(:\d+):\d+$/, "$1");
  if (paths.length === 0) return `${shown}: ${what}`;
  const more = paths.length > MAX_PATHS ? ", …" : "";
  return `${shown}: ${what} (now ${paths.slice(0, MAX_PATHS).join(", ")}${more})`;
}

const MAX_PATHS = 5;

const factsOf = (uncovered: readonly Uncovered[]) =>
  uncovered.map(({ where, what, isOfProject, paths }) => ({
    where,
    what,
    of_project: isOfProject,
    paths: [...paths],
  }));

export async function approveByHash(
  hash: string,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const before = await inspectTrust(program.root, program.stateDir);
  if (before.kind === "none") throw await nothingToTrust(program);
  return grantTrust(hash, { before, context, program, isShown: false });
}

interface GrantContext {
  readonly before: TrustState;
  readonly context: CommandContext;
  readonly program: Program;
  /** The person has just read what is not covered. */
  readonly isShown: boolean;
}

/** In force from now on; throws where the project is no longer what the hash says. */
export async function grantTrust(
  hash: string,
  { before, context, program, isShown }: GrantContext,
) {
  const { root, stateDir } = program;
  const { fileCount, pins } = await approveProject(root, stateDir, hash);
  const from = hashOf(before);
  if (from !== hash) program.publish(context, "TrustChanged", { root, from, to: hash });
  const uncovered = factsOf(pins.uncovered);
  const loose = uncovered.filter((one) => one.of_project).length;
  const rest =
    loose === 0 || isShown
      ? ""
      : `; ${loose === 1 ? "1 thing that it runs is" : `${loose} things that it runs are`} not covered, see \`adj trust --diff\``;
  const text = `trusted ${escapeLine(root)} with ${countFiles(fileCount)}${rest}`;
  return ok(text, { root, state: "trusted", hash, from, files: fileCount, uncovered });
}

const countFiles = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;

const hashOf = (state: GuardState): string | null => ("hash" in state ? state.hash : null);

export async function revokeTrust(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { root, stateDir } = program;
  const from = hashOf(await inspectGuards(root, stateDir));
  if (from === null) return ok(`${root} is not trusted`, { root, state: "untrusted", from });
  requirePerson(context, "nothing was changed");
  if (!(await context.ask.confirm(`trust ${root} no longer?`)))
    throw fault("Declined", { name: "trust --revoke" });
  revokeApproval(root, stateDir);
  program.publish(context, "TrustChanged", { root, from, to: null });
  return ok(`${root} is no longer trusted`, { root, state: "untrusted", from });
}

/** Throws where nobody sits at a terminal. */
export function requirePerson(context: CommandContext, otherwise: string): void {
  if (!context.isInteractive)
    throw fault("Required", { name: "trust" }, { hint: `run it in a terminal, ${otherwise}` });
}

async function nothingToTrust({ root, stateDir }: Program): Promise<Fault> {
  const { kind } = await inspectGuards(root, stateDir);
  const hint =
    kind === "removed"
      ? "the hooks you trusted stay in force; end that with `adj trust --revoke`"
      : "make a command with `adj new NAME`";
  return fault("TrustRefused", { root, problem: "it has no `.adjutant`" }, { hint });
}

export async function showDiff({ root, stateDir }: Program): Promise<CommandResult> {
  const { kind } = await inspectTrust(root, stateDir);
  const diff = kind === "none" ? null : await diffTrust(root, stateDir);
  const changes = diff?.changes ?? [];
  const uncovered = diff?.tree.pins.uncovered ?? [];
  const hash = diff?.tree.hash ?? null;
  const text = formatDiff(root, changes, uncovered);
  // For `--hash`, which trusts what was read here and nothing that came later.
  return ok(changes.length === 0 ? text : `${text}\nhash ${hash}`, {
    root,
    state: kind,
    hash,
    changes: changes.map((change) => ({ ...change })),
    uncovered: factsOf(uncovered),
  });
}

/** Every changed line, and what is not covered. */
export function formatDiff(
  root: string,
  changes: readonly TrustChange[],
  uncovered: readonly Uncovered[],
): string {
  return [
    ...changes.map(({ path, kind, diff }) => `${kind} ${path}\n${diff}`),
    ...(changes.length === 0 ? ["nothing changed since it was trusted"] : []),
    ...(uncovered.length === 0 ? [] : [listUncovered(root, uncovered).join("\n")]),
  ].join("\n");
}

/** What kind of change, and where, one line each. */
const listChanges = (changes: readonly TrustChange[]): string[] =>
  changes.map(({ path, kind }) => `  ${kind.padEnd("removed".length)}  ${path}`);

const COLUMNS = [
  { title: "PROJECT" },
  { title: "TRUSTED" },
  { title: "FILES" },
  { title: "HASH", least: 12 },
] as const;

export function listTrusted({ stateDir, root }: Program, width: number | null): CommandResult {
  const folder = join(stateDir, "trust");
  const projects = listFolder(folder)
    .sort()
    .flatMap((name) => {
      const kept = join(folder, name);
      const hash = readCurrentHash(kept);
      if (hash === null) return [];
      const manifest = readTrustManifest(kept, hash);
      return [{ root: manifest.root, hash, at: manifest.at, files: manifest.files.length }];
    });
  const rows = projects.map((project) => [
    project.root === root ? `${project.root} *` : project.root,
    formatLocalTime(project.at),
    String(project.files),
    project.hash,
  ]);
  const text =
    rows.length === 0 ? "no project is trusted" : formatTable(COLUMNS, rows, width).join("\n");
  return ok(text, { projects });
}
