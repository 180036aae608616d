import * as z from "zod/mini";
import type { CommandContext } from "../command/context.ts";
import type { CommandSummary } from "../command/definition.ts";
import { fault } from "../command/fault.ts";
import { nearestNames, quoteNames } from "../command/names.ts";
import { PROGRAM_FLAGS } from "../command/program-flags.ts";
import { type LayerName, listCommands } from "../command/registry.ts";
import { type CommandResult, ok } from "../command/result.ts";
import { actionsOf, narrowToAction } from "../terminal/action-summary.ts";
import { screenWidth, WIDTH_VARIABLE } from "../terminal/render.ts";
import {
  describeProgramFlag,
  formatSection,
  formatUsage,
  formatUsageLine,
} from "../terminal/usage-text.ts";
import { defineBundled, type Program, requireCommand, textArgument } from "./bundled.ts";
import { hiddenCommands } from "./command-rows.ts";

export default defineBundled({
  name: "help",
  description: "Show what there is, or how one command is used",
  category: "commands",
  safety: "read_only",
  env: [WIDTH_VARIABLE],
  examples: ["adj help", "adj help model", "adj help bench report"],
  textParts: ["sections"],
  args: z.strictObject({
    name: textArgument("a command", { positional: 0, command: true }),
    action: textArgument("what it is to do, where its first word says so", { positional: 1 }),
  }),
  run: async ({ name, action }, context, program) =>
    name === undefined
      ? showOverview(context, program)
      : showUsage({ name, action }, context, program),
});

async function showOverview(context: CommandContext, program: Program): Promise<CommandResult> {
  const hidden = hiddenCommands(program, context.session.id);
  const commands = listCommands(await program.layers()).flatMap((one) => {
    if (one.kind !== "found" || hidden.has(one.entry.name)) return [];
    const { name, description, category } = one.entry.summary;
    return [{ name, description, category: OWN_TITLES[one.at.layer] ?? category }];
  });
  return ok(formatOverview(commands, program.version, screenWidth(context)), {
    version: program.version,
    commands,
  });
}

/** What somebody wrote here is looked for before what the program brings, whatever category it names. */
const OWN_TITLES: Partial<Record<LayerName, string>> = {
  project: "of this project",
  user: "yours",
  plugin: "of plugins",
};

/** What is looked for first; other groups follow in alphabetical order. */
const FIRST_CATEGORIES = [
  ...Object.values(OWN_TITLES),
  ...["start here", "commands", "session", "program"],
];
const OTHER_CATEGORY = "others";

/** Commands by category, and the program's own flags. */
function formatOverview(
  commands: readonly Pick<CommandSummary, "name" | "description" | "category">[],
  version: string,
  width: number | null,
): string {
  const groups = Map.groupBy(commands, ({ category }) => category ?? OTHER_CATEGORY);
  const titles = [...groups.keys()].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  const blocks = titles.map((title) =>
    formatSection(
      title,
      (groups.get(title) ?? []).map(({ name, description }) => [name, description]),
      width,
    ),
  );
  const [before, anywhere] = [true, false].map((isBefore) =>
    PROGRAM_FLAGS.filter(({ place }) => (place === "before") === isBefore).map(describeProgramFlag),
  );
  return [
    [`adj ${version}: one command, run anywhere`],
    ["usage: adj [flags] NAME [words…]"],
    ...blocks,
    formatSection("flags, before the name or after it", anywhere ?? [], width),
    formatSection("flags, before the name", before ?? [], width),
    ["how one is used: adj help NAME"],
  ]
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function rankOf(title: string): number {
  const rank = FIRST_CATEGORIES.indexOf(title);
  if (rank >= 0) return rank;
  return title === OTHER_CATEGORY ? FIRST_CATEGORIES.length + 1 : FIRST_CATEGORIES.length;
}

async function showUsage(
  { name, action }: { readonly name: string; readonly action?: string | undefined },
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  // The one word that is no command: it says that a command's name follows.
  if (name === "run") return ok("usage: adj run NAME [words…]\n\nalways means the command NAME");
  const { entry, at } = await requireCommand(name, program);
  const summary = action === undefined ? entry.summary : requireAction(entry.summary, action);
  const text = formatUsage(summary, at, screenWidth(context));
  return ok(text, { usage: formatUsageLine(summary), at, summary });
}

function requireAction(summary: CommandSummary, action: string): CommandSummary {
  const narrowed = narrowToAction(summary, action);
  if (narrowed !== null) return narrowed;
  const { name } = summary;
  const actions = actionsOf(summary);
  const [nearest] = nearestNames(action, actions);
  const all = quoteNames(actions);
  const known = actions.length === 0 ? `see \`adj help ${name}\`` : `it has ${all}`;
  throw fault(
    "InputInvalid",
    { what: `\`${name}\``, problem: `it has no \`${action}\`` },
    { hint: nearest === undefined ? known : `did you mean \`adj help ${name} ${nearest}\`?` },
  );
}
