import * as z from "zod/mini";
import type { CommandContext } from "../../command/context.ts";
import { fault, misuse } from "../../command/fault.ts";
import { PERSON_USES } from "../../command/person.ts";
import { ok } from "../../command/result.ts";
import { parseDuration } from "../../command/time.ts";
import { formatLocalTime } from "../../terminal/render.ts";
import { formatTable } from "../../terminal/text-columns.ts";
import { defineBundled, flagArgument, type Program } from "../bundled.ts";
import type { OldThings } from "./old-things.ts";

const DEFAULT_AGE = "30d";

export default defineBundled({
  name: "prune",
  description: "Take away what is old and in no use: runs, logs, events, worktrees, leftovers",
  category: "record",
  person: PERSON_USES.prune,
  examples: ["adj prune --dry-run", "adj prune --older 90d"],
  textParts: ["table"],
  args: z.strictObject({
    older: z._default(
      z.string().check(z.meta({ plain: true, description: "what ended so long ago is old" })),
      DEFAULT_AGE,
    ),
    dryRun: flagArgument("only say what would go"),
  }),
  run: async ({ older, dryRun }, context, program) => {
    const ageMs = parseDuration(older);
    if (ageMs === null) throw misuse("prune", "`--older` is a duration like `30d`");
    const before = new Date(Date.now() - ageMs);
    const found = await findOld(before, context, program);
    const things = found.filter(({ count }) => count > 0);
    const plan = describePlan(found, before);
    const metadata = { before: before.toISOString(), found: found.map(factsOf) };
    if (things.length === 0 || dryRun) return ok(plan, { ...metadata, removed: [] });
    await context.write(`${plan}\n`);
    await requireConsent(things, context);
    const removed = await removeAll(things, context);
    const text = `took away ${removed.map(({ what, count }) => `${what} (${count})`).join(", ")}`;
    await context.write(`${text}\n`);
    program.publish(context, "Diagnostic", { code: "Pruned", where: "prune", message: text });
    return ok(`${plan}\n${text}`, { ...metadata, removed });
  },
});

async function findOld(
  before: Date,
  context: CommandContext,
  program: Program,
): Promise<OldThings[]> {
  const found: OldThings[] = [];
  for (const { oldThings } of program.features)
    found.push(...((await oldThings?.({ before, context, program })) ?? []));
  return found;
}

async function requireConsent(
  things: readonly OldThings[],
  context: CommandContext,
): Promise<void> {
  if (context.isAgreed) return;
  if (!context.isInteractive)
    throw fault("Required", { name: "prune" }, { hint: "`--yes` allows it" });
  const count = things.reduce((sum, one) => sum + one.count, 0);
  if (!(await context.ask.confirm(`take away these ${count} for good?`)))
    throw fault("Declined", { name: "prune" });
}

/** One kind after another; what is told is what went. */
async function removeAll(things: readonly OldThings[], { signal }: CommandContext) {
  const removed: { readonly what: string; readonly count: number }[] = [];
  for (const { what, remove } of things) {
    signal.throwIfAborted();
    removed.push({ what, count: await remove() });
  }
  return removed;
}

const COLUMNS = [{ title: "COUNT" }, { title: "WHAT" }, { title: "SIZE" }];

function describePlan(found: readonly OldThings[], before: Date): string {
  const time = formatLocalTime(before.toISOString());
  const things = found.filter(({ count }) => count > 0);
  const rows = things.map(({ what, count, bytes }) => [
    String(count),
    what,
    bytes === null ? "" : formatSize(bytes),
  ]);
  const notes = found.flatMap(({ note }) => (note === null ? [] : [note]));
  return [
    things.length === 0 ? `nothing is older than ${time}` : `older than ${time}:`,
    ...(rows.length === 0 ? [] : formatTable(COLUMNS, rows, null)),
    ...notes,
  ].join("\n");
}

const factsOf = ({ what, count, bytes, note }: OldThings) => ({ what, count, bytes, note });

function formatSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const step = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value.toFixed(step === 0 || value >= 100 ? 0 : 1)} ${units[step]}`;
}
