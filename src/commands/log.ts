import * as z from "zod/mini";
import { misuse } from "../command/misuse.ts";
import { EVENT_TYPES } from "../dispatch/event.ts";
import { flag, text } from "./argument-shapes.ts";
import { defineBundled } from "./program.ts";

export default defineBundled({
  name: "log",
  description: "Show the record: what was run, by whom, how it ended",
  category: "record",
  // It shows, but `--prune` deletes.
  safety: "mutating",
  examples: ["adj log", "adj log --since 2h --type CommandResulted", "adj log --follow --json"],
  args: z.strictObject({
    follow: flag("go on showing what comes"),
    since: text("from this time on: `2h` ago, or `2026-11-05T14:00`"),
    until: text("before this time"),
    type: z._default(
      z.array(z.enum(EVENT_TYPES)).check(z.meta({ plain: true, description: "only this type" })),
      [],
    ),
    session: text("only this session, by id or name"),
    command: text("only this command", { command: true }),
    agent: text("only what this agent asked for"),
    correlation: text("only this correlation, by its beginning"),
    last: z.optional(
      z
        .int()
        .check(
          z.minimum(1),
          z.meta({ plain: true, description: "the newest so many; 50 where no time is given" }),
        ),
    ),
    json: flag("one JSON object per line"),
    prune: text("delete what is older, for example `30d`"),
    force: flag("prune without being asked"),
  }),
  run: async (words, context, program) => {
    const now = new Date();
    const { decideFilter } = await import("./log/log-filter.ts");
    const { prune, force, follow, json, ...wanted } = words;
    if (prune !== undefined) {
      if (follow || Object.values(wanted).some(isGiven))
        throw misuse("log", "`--prune` deletes by age alone");
      const { pruneLog } = await import("./log/prune-log.ts");
      return pruneLog({ age: prune, force, now }, context, program);
    }
    const { findCorrelation } = await import("./log/correlation.ts");
    const { followLog, showLog } = await import("./log/show-log.ts");
    const { session, correlation } = wanted;
    const filter = decideFilter(
      {
        ...wanted,
        session: session && (program.sessions().findByName(session) ?? session),
        correlation: correlation && findCorrelation(program.audit, correlation),
      },
      now,
    );
    const showing = { audit: program.audit, filter, json, context };
    if (!follow) return showLog(showing);
    if (wanted.until !== undefined) throw misuse("log", "`--follow` has no end, so no `--until`");
    if (!CAN_FOLLOW.has(context.mode)) throw misuse("log", "`--follow` needs somebody who watches");
    return followLog(showing);
  },
});

const CAN_FOLLOW: ReadonlySet<string> = new Set(["cli", "console", "web", "library"]);

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined;
