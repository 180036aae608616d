// The hooks of our own commands: `before_command` and `after_command`, as the dispatcher asks for them. Where no
// rule is for these steps, nothing but the list of rules is loaded.
//
// A guard that fails blocks like everywhere, except the commands by which one repairs it. A hooks file that does
// not parse blocks no command at all: it blocks the agents' tools.
import type { NewEvent } from "../../core/command/event.ts";
import { monotonicMs } from "../../core/command/time.ts";
import type { CommandHooks, CommandStep } from "../../core/dispatch/dispatch-context.ts";
import type { Paths } from "../../core/project/paths.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import { type HandlerReport, NO_DECISION, type StepDecision } from "../../core/step/verdict.ts";
import type { HookRule, HookSet } from "../match/rule.ts";
import { loadHookSet } from "./set.ts";

interface CommandHooksOptions {
  readonly paths: Paths;
  readonly root: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly publish: (event: NewEvent) => void;
}

interface OwnHooks extends CommandHooks {
  /** Waits for `async` handlers that still run; rejects where one could not be recorded. */
  settled(): Promise<void>;
}

export function createCommandHooks(options: CommandHooksOptions): OwnHooks {
  const pending = new Set<Promise<unknown>>();
  const keep = (work: Promise<unknown>): void => {
    pending.add(work);
    // One that could not be recorded stays, for `settled` to tell.
    work.then(
      () => pending.delete(work),
      () => undefined,
    );
  };
  // Before and after a command the same rules count, whatever changes while it runs.
  const sets = new WeakMap<CommandStep, HookSet>();
  return {
    before: async (step) => {
      const set = await loadHookSet(options);
      sets.set(step, set);
      const rules = rulesFor(set, step, "before_command");
      if (rules.length === 0) return { kind: "proceed" };
      const { beforeVerdict, commandEnvelope } = await import("./command-envelope.ts");
      const envelope = commandEnvelope(step, "before_command", new Date().toISOString());
      return beforeVerdict(await decide(options, { step, envelope, rules, keep }), step);
    },
    after: async (step, ended) => {
      const set = sets.get(step) ?? (await loadHookSet(options));
      const rules = rulesFor(set, step, "after_command");
      if (rules.length === 0) return [];
      const { commandEnvelope, outcomeOf } = await import("./command-envelope.ts");
      const envelope = commandEnvelope(step, "after_command", new Date().toISOString());
      const outcome = outcomeOf(ended);
      const { reason, control } = await decide(options, {
        step,
        envelope: { ...envelope, outcome },
        rules,
        keep,
      });
      return control === "veto" && reason !== null ? [reason] : [];
    },
    settled: async () => {
      await Promise.all(pending);
    },
  };
}

function rulesFor(
  { rules }: HookSet,
  { command }: CommandStep,
  name: "before_command" | "after_command",
): readonly HookRule[] {
  const own = rules.filter((rule) => rule.isEnabled && rule.on.includes(name));
  return isRepair(command) ? own.map((rule) => ({ ...rule, onError: "skip" as const })) : own;
}

const REPAIRING: ReadonlySet<string> = new Set([
  ...["config", "doctor", "help", "hooks", "log", "trust", "uninstall"],
]);

/** Anybody may define a `help`; one that only reads harms nobody. All the others are the program's alone. */
const isRepair = ({ name, safety }: CommandStep["command"]): boolean =>
  REPAIRING.has(name) && (name !== "help" || safety === "read_only");

interface Asked {
  readonly step: CommandStep;
  readonly envelope: Envelope;
  readonly rules: readonly HookRule[];
  readonly keep: (work: Promise<unknown>) => void;
}

async function decide(options: CommandHooksOptions, asked: Asked): Promise<StepDecision> {
  const { step, envelope, rules, keep } = asked;
  const [{ runPipeline }, { matchesStep }, { runHookHandler }, { typedLine }, marks, events] =
    await Promise.all([
      import("./pipeline.ts"),
      import("../match/match-rule.ts"),
      import("../handlers/run.ts"),
      import("./command-envelope.ts"),
      import("./session.ts"),
      import("./event.ts"),
    ]);
  const { env, root, home } = options;
  const { stateDir } = options.paths;
  const session = { stateDir, agent: envelope.agent, sessionId: step.sessionId };
  const facts = { envelope, sessionId: step.sessionId, virtual: null, notes: [] };
  const publish = (list: readonly NewEvent[]): void => {
    const { name } = step.command;
    for (const event of list)
      options.publish({ ...event, origin: step.origin, data: { name, ...event.data } });
  };
  const decision = await runPipeline({
    rules,
    envelope,
    subjectOf: (now) => ({
      envelope: now,
      line: typedLine(step, now, envelope),
      paths: [],
      root,
      home,
    }),
    matches: matchesStep,
    runHandler: (rule, subject, limit) =>
      runHookHandler(rule, subject, {
        ...limit,
        env,
        stateDir,
        sessionDir: marks.sessionFolder(session),
      }),
    deadlineMs: Number.POSITIVE_INFINITY,
    now: monotonicMs,
    signal: step.signal,
    once: {
      hasRun: ({ name }) => marks.hasRunOnce(session, name),
      markRun: ({ name }) => marks.markRunOnce(session, name),
    },
    onAsync: (work: Promise<HandlerReport>) => {
      const observed = { ...facts, decision: NO_DECISION };
      keep(work.then((late) => publish([events.describeObserved(observed, late)])));
    },
  });
  if (decision.reports.length > 0) publish(events.describeDecidedStep({ ...facts, decision }));
  return decision;
}
