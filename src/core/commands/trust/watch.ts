// `adj trust --watch`, for whoever writes the commands of a project: each change is shown and asked about in this terminal.
import { waitUnlessAborted } from "../../command/cancellation.ts";
import type { CommandContext } from "../../command/context.ts";
import { Fault, formatFault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { escapeLine } from "../../command/words.ts";
import { hashProject } from "../../project/trust/approval.ts";
import { diffTrust, type TrustDiff } from "../../project/trust/diff.ts";
import { inspectGuards } from "../../project/trust/guards.ts";
import { inspectTrust } from "../../project/trust/inspect.ts";
import type { Program } from "../bundled.ts";
import { formatDiff, grantTrust, requirePerson } from "./actions.ts";

const POLL_MS = 300;

/** Until the signal fires, which is the one way this ends. */
export async function watchTrust(
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  requirePerson(context, "nothing was changed");
  await context.write(`watching ${escapeLine(program.root)}; Ctrl-C ends it\n`);
  // What was answered already, or could not be asked about, by its hash or its problem.
  let answered: string | null = null;
  while (!context.signal.aborted) {
    answered = (await lookOnce(context, program, answered)) ?? answered;
    await waitUnlessAborted(POLL_MS, context.signal);
  }
  return ok("");
}

/** Asks where there is something new; what was asked about, null where there was nothing. */
async function lookOnce(
  context: CommandContext,
  program: Program,
  answered: string | null,
): Promise<string | null> {
  try {
    if (await isAsApproved(program)) return null;
    const hash = await hashProject(program.root);
    if (hash === answered) return null;
    // An editor writes several files, or one in pieces: what is still being written is looked at next time.
    await waitUnlessAborted(POLL_MS, context.signal);
    const diff = await diffTrust(program.root, program.stateDir);
    if (hash !== diff.tree.hash) return null;
    await askAbout(diff, context, program);
    return hash;
  } catch (error) {
    if (!(error instanceof Fault) || error.class !== "Trust") throw error;
    if (error.message !== answered) await context.write(`${formatFault(error)}\n`, "stderr");
    return error.message;
  }
}

async function isAsApproved({ root, stateDir }: Program): Promise<boolean> {
  const { kind } = await inspectTrust(root, stateDir);
  if (kind === "none") return true;
  return kind === "trusted" && (await inspectGuards(root, stateDir)).kind === "trusted";
}

async function askAbout(
  { tree, changes }: TrustDiff,
  context: CommandContext,
  program: Program,
): Promise<void> {
  const { root, stateDir } = program;
  const before = await inspectTrust(root, stateDir);
  await context.write(`${formatDiff(root, changes, tree.pins.uncovered)}\n`);
  const isYes = await context.ask.confirm("trust this?");
  // By the hash of what was shown: what changed in the meantime was not agreed to.
  const answer = isYes
    ? (await grantTrust(tree.hash, { before, context, program, isShown: true })).output
    : "not trusted; what you trusted stays in force";
  await context.write(`${answer}\n`);
}
