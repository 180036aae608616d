import * as z from "zod/mini";
import type { CommandContext } from "../../command/context.ts";
import { EVENT_TYPES } from "../../command/event.ts";
import { fault, misuse } from "../../command/fault.ts";
import { PERSON_USES } from "../../command/person.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { parseDuration } from "../../command/time.ts";
import { nearestByWords } from "../../project/settings.ts";
import {
  collectAgentWords,
  countArgument,
  defineBundled,
  flagArgument,
  type Program,
  textArgument,
} from "../bundled.ts";

export default defineBundled({
  name: "log",
  description: "Show the record: what was run, by whom, how it ended",
  category: "record",
  // It shows, but `--prune` deletes.
  safety: "mutating",
  person: PERSON_USES.log,
  examples: ["adj log", "adj log --since 2h --type CommandResulted", "adj log --follow --json"],
  textParts: ["verdicts"],
  args: z.strictObject({
    follow: flagArgument("go on showing what comes"),
    since: textArgument("from this time on: `2h` ago, or `2026-11-05T14:00`"),
    until: textArgument("before this time"),
    type: z._default(
      z.array(z.enum(EVENT_TYPES)).check(z.meta({ plain: true, description: "only this type" })),
      [],
    ),
    session: textArgument("only this session, by id or name"),
    command: textArgument("only this command", { command: true }),
    agent: textArgument("only what this agent asked for"),
    correlation: textArgument("only this correlation, by its beginning"),
    last: countArgument("the newest so many; 50 where no time is given"),
    json: flagArgument("one JSON object per line"),
    prune: textArgument("delete what is older, for example `30d`"),
    force: flagArgument("prune without being asked"),
  }),
  run: async (words, context, program) => {
    const now = new Date();
    const { prune, force, follow, json, ...wanted } = words;
    if (prune !== undefined) {
      if (follow || Object.values(wanted).some(isGiven))
        throw misuse("log", "`--prune` deletes by age alone");
      return pruneLog({ age: prune, force, now }, context, program);
    }
    const { decideFilter, findCorrelation } = await import("./filter.ts");
    const { followLog, showLog } = await import("./show.ts");
    const { session, correlation, agent } = wanted;
    const filter = decideFilter(
      {
        ...wanted,
        session: session && (program.sessions().findByName(session) ?? session),
        correlation: correlation && findCorrelation(program.audit, correlation),
        agent: agent && (await nameAgent(agent, program)),
      },
      now,
    );
    const listMeant = () => namesMeant(wanted, program);
    const showing = { audit: program.audit, filter, json, context, listMeant };
    if (!follow) return showLog(showing);
    if (wanted.until !== undefined) throw misuse("log", "`--follow` has no end, so no `--until`");
    if (!CAN_FOLLOW.has(context.mode)) throw misuse("log", "`--follow` needs somebody who watches");
    return followLog(showing);
  },
});

/** The record has agents by their names; one that no longer exists is still in it. */
async function nameAgent(word: string, program: Program): Promise<string> {
  const words = await collectAgentWords(program);
  return Object.hasOwn(words, word) ? (words[word] ?? word) : word;
}

/** One that answers to nobody may be a slip, or of something that is gone. */
async function namesMeant(
  {
    agent,
    command,
  }: { readonly agent?: string | undefined; readonly command?: string | undefined },
  program: Program,
): Promise<readonly string[]> {
  const words = await collectAgentWords(program);
  const isSlip = agent !== undefined && !Object.hasOwn(words, agent);
  const found = command === undefined ? null : await program.resolve(command);
  return [
    ...(isSlip ? nearestByWords(agent, words) : []),
    ...(found?.kind === "unknown" ? found.suggestions : []),
  ];
}

const CAN_FOLLOW: ReadonlySet<string> = new Set(["cli", "console", "web", "library"]);

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined;

interface PruneRequest {
  readonly age: string;
  readonly force: boolean;
  readonly now: Date;
}

/** The only deletion there is; a person has to want it. */
async function pruneLog(
  { age, force, now }: PruneRequest,
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
  if (force) return;
  if (!context.isInteractive) throw fault("Required", { name }, { hint: "`--force` allows it" });
  if (!(await context.ask.confirm(question))) throw fault("Declined", { name });
}
