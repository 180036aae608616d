import * as z from "zod/mini";
import type { CommandContext } from "../command/context.ts";
import { type FaultReport, fault, formatFault } from "../command/fault.ts";
import { LAYERS, listCommands } from "../command/registry.ts";
import { type CommandResult, ok } from "../command/result.ts";
import type { TrustState } from "../project/trust/inspect.ts";
import { screenWidth, WIDTH_VARIABLE } from "../terminal/render.ts";
import { formatTable, plainLine } from "../terminal/text-columns.ts";
import { defineBundled, type FoundCommand, type Program, textArgument } from "./bundled.ts";
import {
  type BrokenRow,
  brokenRowOf,
  type CommandRow,
  hiddenCommands,
  rowOf,
  showCommandFile,
  showHidden,
  showLayer,
} from "./command-rows.ts";

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
  textParts: ["table"],
  args: z.strictObject({
    name: textArgument("only this one", { positional: 0, command: true }),
  }),
  run: async ({ name }, context, program) =>
    name === undefined ? listAll(context, program) : showOne(name, context, program),
});

async function listAll(context: CommandContext, program: Program): Promise<CommandResult> {
  const found: FoundCommand[] = [];
  const broken: BrokenRow[] = [];
  const hidden = hiddenCommands(program, context.session.id);
  for (const one of listCommands(await program.layers()))
    if (one.kind === "found") {
      if (!hidden.has(one.entry.name)) found.push(one);
    } else broken.push(brokenRowOf(one));
  // The nearest layer first: one's own commands are few beside those of the program.
  found.sort((a, b) => LAYERS.indexOf(b.at.layer) - LAYERS.indexOf(a.at.layer));
  const { inspectTrust } = await import("../project/trust/inspect.ts");
  const trust = await inspectTrust(program.root, program.stateDir);
  const warnings = await program.warnings();
  return present({ found, broken, warnings, trust: trust.kind }, context, program);
}

async function showOne(
  name: string,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const one = await program.resolve(name);
  if (one.kind === "unknown")
    throw fault("CommandUnknown", one, { hint: "list all with `adj commands`" });
  const found = one.kind === "found" ? [one] : [];
  const broken = one.kind === "broken" ? [brokenRowOf(one)] : [];
  return present({ found, broken, warnings: [], trust: null }, context, program);
}

interface Listing {
  readonly found: readonly FoundCommand[];
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
  const { found, broken, warnings, trust } = listing;
  const rows = found.map(({ entry: { summary }, at, hides }) => [
    summary.aliases.length === 0 ? summary.name : [summary.name, ...summary.aliases].join(", "),
    summary.description,
    showLayer(at),
    showCommandFile(at, root),
    showHidden(hides, root),
  ]);
  const trustNote = TRUST_NOTES[trust ?? "none"];
  const notes = [
    ...listProblems(listing),
    ...warnings.map(formatFault),
    ...(trustNote === undefined ? [] : [trustNote]),
  ];
  const lines = [
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, rows, screenWidth(context))),
    ...(rows.length === 0 || notes.length === 0 ? [] : [""]),
    ...notes.map(plainLine),
  ];
  // The rows as data are made when somebody reads them, which the shell without `--json` never does.
  const metadata = {
    get commands(): readonly CommandRow[] {
      return found.map(rowOf);
    },
    broken,
    warnings,
    trust,
  };
  return ok(lines.join("\n"), metadata);
}

function listProblems({ found, broken }: Listing): string[] {
  const fallbacks = found.filter(({ passedOver }) => passedOver.length > 0);
  return [
    ...broken.flatMap(({ name, passedOver }) =>
      passedOver.map(({ problem }) => `broken: ${name}: ${formatFault(problem)}`),
    ),
    ...fallbacks.flatMap(({ entry, at, passedOver }) =>
      passedOver.map(
        ({ fault: problem }) =>
          `passed over: ${entry.name}: ${formatFault(problem)}; ${showLayer(at)} is used instead`,
      ),
    ),
  ];
}
