import * as z from "zod/mini";
import type { CommandContext } from "../command/context.ts";
import { type FaultReport, fault, formatFault } from "../command/fault.ts";
import { listCommands } from "../command/registry.ts";
import { type CommandResult, ok } from "../command/result.ts";
import { formatTable, plainLine } from "../command/text-columns.ts";
import type { TrustState } from "../config/trust.ts";
import {
  type BrokenRow,
  brokenRowOf,
  type CommandRow,
  rowOf,
  showFile,
  showHidden,
  showLayer,
} from "./command-rows.ts";
import { defineBundled, type Program } from "./program.ts";
import { screenWidth, WIDTH_VARIABLE } from "./screen-width.ts";

const COLUMNS = [
  { title: "NAME" },
  { title: "DESCRIPTION", least: 24 },
  { title: "LAYER" },
  { title: "FILE", least: 16, cut: "start" },
  { title: "HIDES", least: 12 },
] as const;

export default defineBundled({
  name: "commands",
  description: "List the commands: where each comes from and what it hides",
  category: "commands",
  safety: "read_only",
  env: [WIDTH_VARIABLE],
  examples: ["adj commands", "adj commands deploy"],
  args: z.strictObject({
    name: z.optional(
      z.string().check(z.meta({ positional: 0, command: true, description: "only this one" })),
    ),
  }),
  run: async ({ name }, context, program) =>
    name === undefined ? listAll(context, program) : showOne(name, context, program),
});

async function listAll(context: CommandContext, program: Program): Promise<CommandResult> {
  const resolutions = listCommands(await program.layers());
  const commands = resolutions.flatMap((one) => (one.kind === "found" ? [rowOf(one)] : []));
  const broken = resolutions.flatMap((one) => (one.kind === "broken" ? [brokenRowOf(one)] : []));
  const { inspectTrust } = await import("../config/trust.ts");
  const trust = await inspectTrust(program.root, program.stateDir);
  const warnings = await program.warnings();
  return present({ commands, broken, warnings, trust: trust.kind }, context, program);
}

async function showOne(
  name: string,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const found = await program.resolve(name);
  if (found.kind === "unknown")
    throw fault("CommandUnknown", found, { hint: "list all with `adj commands`" });
  const isFound = found.kind === "found";
  const commands = isFound ? [rowOf(found)] : [];
  const broken = isFound ? [] : [brokenRowOf(found)];
  return present({ commands, broken, warnings: [], trust: null }, context, program);
}

interface Listing {
  readonly commands: readonly CommandRow[];
  readonly broken: readonly BrokenRow[];
  readonly warnings: readonly FaultReport[];
  /** Null where one command is shown: it counts or it does not. */
  readonly trust: TrustState["kind"] | null;
}

const TRUST_NOTES: Partial<Record<TrustState["kind"], string>> = {
  untrusted: "this project is not trusted, so its commands are not listed; see `adj trust`",
  changed:
    "this project changed since it was trusted, so what was trusted is listed; see `adj trust`",
};

function present(listing: Listing, context: CommandContext, { root }: Program): CommandResult {
  const rows = listing.commands.map((row) => [
    row.aliases.length === 0 ? row.name : [row.name, ...row.aliases].join(", "),
    row.description,
    showLayer(row),
    showFile(row, root),
    showHidden(row.hides, root),
  ]);
  const trustNote = TRUST_NOTES[listing.trust ?? "none"];
  const notes = [
    ...listProblems(listing),
    ...listing.warnings.map(formatFault),
    ...(trustNote === undefined ? [] : [trustNote]),
  ];
  const lines = [
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, rows, screenWidth(context))),
    ...(rows.length === 0 || notes.length === 0 ? [] : [""]),
    ...notes.map(plainLine),
  ];
  return ok(lines.join("\n"), { ...listing });
}

function listProblems({ commands, broken }: Listing): string[] {
  return [
    ...broken.flatMap(({ name, passedOver }) =>
      passedOver.map(({ problem }) => `broken: ${name}: ${formatFault(problem)}`),
    ),
    ...commands.flatMap((row) =>
      row.passedOver.map(
        ({ problem }) =>
          `passed over: ${row.name}: ${formatFault(problem)}; ${showLayer(row)} is used instead`,
      ),
    ),
  ];
}
