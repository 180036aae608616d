// What `adj sync` says: a line for each command and agent, and what is left to do.
import { join } from "node:path";
import type { InstallScope } from "../../agents/steps/installer.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { showCommandFile } from "../../core/commands/command-rows.ts";
import { formatTable } from "../../core/terminal/text-columns.ts";
import type { ChangeKind, NativeFileChange } from "../native/sync-changes.ts";
import type { CollectedCommands, FolderPlan, SyncArguments } from "./sync-commands.ts";

interface SyncFacts extends CollectedCommands {
  readonly args: SyncArguments;
  readonly scope: InstallScope;
  /** Files in it are shown from there. */
  readonly root: string;
  readonly plans: readonly FolderPlan[];
  /** Agents in which nobody answers the relays that were written for them. */
  readonly unanswered: readonly string[];
}

const COLUMNS = [
  { title: "AGENT" },
  { title: "COMMAND" },
  { title: "AS" },
  { title: "STATE" },
  { title: "NOTE", least: 20 },
] as const;

const DONE: Readonly<Record<ChangeKind, string>> = {
  create: "created",
  update: "updated",
  remove: "removed",
  same: "same",
  conflict: "conflict",
};
const OPEN: Readonly<Record<ChangeKind, string>> = {
  ...DONE,
  create: "missing",
  update: "outdated",
  remove: "left over",
};

export function reportSync(facts: SyncFacts, width: number | null): CommandResult {
  const { args, scope, plans, broken } = facts;
  const states = args.check || args.dryRun ? OPEN : DONE;
  const show = (file: string): string => showCommandFile({ layer: scope, file }, facts.root);
  const rows = plans.flatMap((plan) => plan.changes.map((change) => rowOf(plan, change, states)));
  const isCurrent = plans.every(({ changes }) => changes.every(({ kind }) => kind === "same"));
  const conflicts = rows.filter(({ state }) => state === "conflict");
  const steps = listNextSteps(facts, conflicts.length);
  const exitCode = conflicts.length > 0 || broken.length > 0 || (args.check && !isCurrent) ? 1 : 0;
  const cells = rows.map(({ agent, command, as, state, note, file, problem }) => [
    ...[agent, command, as ?? "", state],
    problem === null ? note : `${show(file)}: ${problem}`,
  ]);
  const lines = [
    ...(rows.length === 0 ? [`no Markdown command in the ${scope} layer`] : []),
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, cells, width)),
    ...broken.map(({ name, problem }) => `${name} is left as it is: ${problem}`),
    ...steps.map((step) => `next: ${step}`),
  ];
  return {
    success: exitCode === 0,
    output: lines.join("\n"),
    errorOutput: null,
    exitCode,
    metadata: { scope, isCurrent, files: rows, broken, nextSteps: steps, written: !isOpen(args) },
  };
}

const isOpen = ({ check, dryRun }: SyncArguments): boolean => check || dryRun;

function rowOf(
  { format: { agent }, folder, natives }: FolderPlan,
  { path, kind, problem }: NativeFileChange,
  states: Readonly<Record<ChangeKind, string>>,
) {
  const native = natives.get(path);
  const leftOut = native?.leftOut ?? [];
  const without = leftOut.length === 0 ? null : `without ${leftOut.join(", ")}`;
  const file = join(folder, path);
  return {
    agent,
    command: native?.name ?? path,
    as: native?.kind ?? null,
    state: states[kind],
    note: native?.why ?? without ?? "",
    why: native?.why ?? null,
    leftOut,
    file,
    problem,
  };
}

function listNextSteps({ args, scope, plans, unanswered }: SyncFacts, conflicts: number): string[] {
  const isLate = plans.some(({ changes }) =>
    changes.some(({ kind }) => kind !== "same" && kind !== "conflict"),
  );
  const flag = scope === "user" ? " --user" : "";
  return [
    ...(args.check && isLate ? [`write it with \`adj sync${flag}\``] : []),
    ...(conflicts > 0 ? ["rename or remove what is in the way, then sync again"] : []),
    ...unanswered.map((agent) => `for the relays: \`adj install ${agent}\``),
  ];
}
