// What `adj import` says: a line for each file, and what each could not bring along.
import type { CommandResult } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import type { InstallScope } from "../../hooks/install/installer.ts";
import { showFile } from "../command-rows.ts";

export interface Imported {
  readonly agent: string;
  readonly file: string;
  /** What it is called here; null where it has no name. */
  readonly name: string | null;
  /** `generated`: `adj sync` wrote it. `exists`: the name is taken. `skipped`: it cannot be taken in. */
  readonly did: "created" | "replaced" | "exists" | "generated" | "skipped";
  /** What could not be carried over, or why it was skipped. */
  readonly problems: readonly string[];
}

const COLUMNS = [
  { title: "AGENT" },
  { title: "FILE", least: 20, cut: "start" },
  { title: "COMMAND" },
  { title: "STATE" },
  { title: "LOST" },
] as const;

interface Terms {
  readonly scope: InstallScope;
  /** Files in it are shown from there. */
  readonly root: string;
  readonly dryRun: boolean;
}

export function reportImport(
  imported: readonly Imported[],
  terms: Terms,
  width: number | null,
): CommandResult {
  const { scope, dryRun } = terms;
  const show = (file: string): string => showFile({ layer: scope, file }, terms.root);
  const rows = imported.map(({ agent, file, name, did, problems }) => [
    ...[agent, show(file), name ?? "", dryRun ? (WOULD[did] ?? did) : did],
    problems.length === 0 || did === "skipped" ? "" : String(problems.length),
  ]);
  const steps = listNextSteps(imported, terms);
  const lines = [
    ...(rows.length === 0 ? ["no agent has a command of its own here"] : []),
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, rows, width)),
    ...imported.flatMap(({ file, did, problems }) =>
      problems.map((problem) => `${show(file)}: ${did === "skipped" ? "" : "lost: "}${problem}`),
    ),
    ...steps.map((step) => `next: ${step}`),
  ];
  const exitCode = imported.some(({ did }) => did === "skipped") ? 1 : 0;
  return {
    success: exitCode === 0,
    output: lines.join("\n"),
    errorOutput: null,
    exitCode,
    metadata: { scope, dryRun, files: imported, nextSteps: steps },
  };
}

const WOULD: Readonly<Partial<Record<Imported["did"], string>>> = {
  created: "to create",
  replaced: "to replace",
};

function listNextSteps(imported: readonly Imported[], { scope, dryRun }: Terms): string[] {
  const isWritten = imported.some(({ did }) => did === "created" || did === "replaced");
  const isTaken = imported.some(({ did }) => did === "exists");
  return [
    ...(isWritten && !dryRun && scope === "project" ? ["`adj trust`"] : []),
    ...(isTaken ? ["`--force` replaces Markdown commands that are there"] : []),
  ];
}
