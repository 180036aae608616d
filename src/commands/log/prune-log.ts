import type { CommandContext } from "../../command/context.ts";
import { parseDuration } from "../../command/duration.ts";
import { fault } from "../../command/fault.ts";
import { misuse } from "../../command/misuse.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { Program } from "../program.ts";

export interface Pruning {
  readonly age: string;
  readonly force: boolean;
  readonly now: Date;
}

/** The only deletion there is; a person has to want it. */
export async function pruneLog(
  { age, force, now }: Pruning,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const duration = parseDuration(age);
  if (duration === null) throw misuse("log", "`--prune` is a duration like `30d`");
  const before = new Date(now.getTime() - duration).toISOString();
  await requireConsent(`delete everything recorded before ${before}?`, force, context);
  const pruned = program.audit.prune(before);
  program.publish(context, "Diagnostic", { code: "AuditPruned", where: "log", before, pruned });
  return ok(`deleted ${pruned} events from before ${before}`, { before, pruned });
}

async function requireConsent(
  question: string,
  force: boolean,
  context: CommandContext,
): Promise<void> {
  const name = "log --prune";
  if (context.isBelowAgent)
    throw fault("Required", { name }, { hint: "run it yourself, outside the agent" });
  if (force) return;
  if (!context.isInteractive) throw fault("Required", { name }, { hint: "`--force` allows it" });
  if (!(await context.ask.confirm(question))) throw fault("Declined", { name });
}
