// Granting and taking back trust. Only a person does either: both decide which code and which guards run.
import type { CommandContext } from "../../command/context.ts";
import { type Fault, fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import {
  type GuardState,
  inspectGuards,
  inspectTrust,
  type TrustState,
} from "../../config/trust.ts";
import { approve, revoke } from "../../config/trust-approval.ts";
import { diffTrust } from "../../config/trust-diff.ts";
import { readTree } from "../../config/trust-tree.ts";
import type { Program } from "../program.ts";
import { listChanges } from "./show-trust.ts";

const MOST_SHOWN = 50;

export async function askToApprove(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { root, stateDir } = program;
  const before = await inspectTrust(root, stateDir);
  if (before.kind === "none") throw await nothingToTrust(program);
  if (before.kind === "trusted")
    return ok(`${root} is trusted as it is`, { root, state: "trusted", hash: before.hash });
  const tree = await readTree(root);
  // A program that a file names but nobody put there yet has no fingerprint.
  const programs = Object.keys(tree.programs).filter((path) => tree.programs[path] !== null);
  const shown = await describe(program, { hash: tree.hash, programs });
  await context.write(shown);
  requirePerson(context, `or give the hash you checked: \`adj trust --hash ${tree.hash}\``);
  const question = `trust ${tree.files.length} files of ${root}?`;
  if (!(await context.ask.confirm(question))) throw fault("Declined", { name: "trust" });
  // By the hash that was shown: what changed in the meantime was not agreed to.
  const result = await grant(tree.hash, { before, context, program });
  await context.write(`${result.output}\n`);
  return { ...result, output: `${shown}${result.output}` };
}

async function describe(
  { root, stateDir }: Program,
  { hash, programs }: { hash: string; programs: readonly string[] },
): Promise<string> {
  const changes = await diffTrust(root, stateDir);
  const lines = listChanges(changes);
  const more = lines.length - MOST_SHOWN;
  return [
    `what can run in ${root}, since it was last trusted:`,
    ...lines.slice(0, MOST_SHOWN),
    ...(more > 0 ? [`  and ${more} more; see all with \`adj trust --diff\``] : []),
    ...(programs.length === 0 ? [] : [`programs it names: ${programs.join(", ")}`]),
    `hash ${hash}`,
    "",
  ].join("\n");
}

export async function approveByHash(
  hash: string,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const before = await inspectTrust(program.root, program.stateDir);
  if (before.kind === "none") throw await nothingToTrust(program);
  refuseAgent(context);
  return grant(hash, { before, context, program });
}

interface Granting {
  readonly before: TrustState;
  readonly context: CommandContext;
  readonly program: Program;
}

async function grant(hash: string, { before, context, program }: Granting) {
  const { root, stateDir } = program;
  const { fileCount } = await approve(root, stateDir, hash);
  const from = hashOf(before);
  if (from !== hash) program.publish(context, "TrustChanged", { root, from, to: hash });
  const text = `trusted ${root} with ${fileCount} files`;
  return ok(text, { root, state: "trusted", hash, from, files: fileCount });
}

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
  revoke(root, stateDir);
  program.publish(context, "TrustChanged", { root, from, to: null });
  return ok(`${root} is no longer trusted`, { root, state: "untrusted", from });
}

function requirePerson(context: CommandContext, otherwise: string): void {
  refuseAgent(context);
  if (!context.isInteractive)
    throw fault("Required", { name: "trust" }, { hint: `run it in a terminal, ${otherwise}` });
}

function refuseAgent({ isBelowAgent }: CommandContext): void {
  if (isBelowAgent)
    throw fault("Required", { name: "trust" }, { hint: "run it yourself, outside the agent" });
}

async function nothingToTrust({ root, stateDir }: Program): Promise<Fault> {
  const { kind } = await inspectGuards(root, stateDir);
  const hint =
    kind === "removed"
      ? "the hooks you trusted stay in force; end that with `adj trust --revoke`"
      : "make a command with `adj new NAME`";
  return fault("TrustRefused", { root, problem: "it has no `.adjutant`" }, { hint });
}
