// `adj hooks explain`: how a tool call is seen, and for each rule whether it is meant for it. Nothing is run.
import type { CommandContext } from "../../command/context.ts";
import { misuse } from "../../command/misuse.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { HookAgent } from "../../hooks/agents/hook-agent.ts";
import { OWN_AGENT } from "../../hooks/command-envelope.ts";
import type { Envelope } from "../../hooks/envelope.ts";
import { loadHookSet } from "../../hooks/hook-set.ts";
import { matchRule } from "../../hooks/match/match-rule.ts";
import type { HookRule } from "../../hooks/rule.ts";
import type { StepName } from "../../hooks/step.ts";
import { subjectOf } from "../../hooks/step-subject.ts";
import type { StepSubject } from "../../hooks/subject.ts";
import { placeOf } from "../install/target.ts";
import type { Program } from "../program.ts";
import { describeRun, whereOf } from "./describe-rule.ts";
import { describeSafety } from "./describe-safety.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { buildPayload, pickAgent } from "./step-wish.ts";

export async function explainStep(
  args: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const { home } = placeOf(context, program);
  const subject = makeSubject(args, context, { root: program.root, home });
  const { step } = subject.envelope;
  const set = await loadHookSet({ paths: program, root: program.root });
  const rules = set.rules
    .filter(({ on }) => on.includes(step))
    .map((rule) => explainRule(rule, subject, program.root));
  const safety = describeSafety(subject);
  const { tool, kind, agent } = subject.envelope;
  const text = [
    `${step} of ${agent}${tool === undefined ? "" : `: ${tool}`}`,
    ...(kind === undefined ? [] : [`kind: ${kind}`]),
    ...safety.lines,
    ...(rules.length === 0 ? [`no hook is for \`${step}\``] : rules.map(({ line }) => line)),
    ...set.broken.map(({ where, problem }) => `broken: ${where}: ${problem}`),
  ].join("\n");
  return ok(text, {
    ...{ step, agent, tool, kind },
    safety: subject.envelope.safety ?? null,
    commands: safety.commands,
    problem: safety.problem,
    rules: rules.map(({ facts }) => facts),
    broken: set.broken,
    warnings: set.warnings,
  });
}

interface ExplainPlace {
  readonly root: string;
  readonly home: string;
}

function makeSubject(
  args: HooksArguments,
  context: CommandContext,
  place: ExplainPlace,
): StepSubject {
  const { workingDirectory: cwd, correlationId } = context;
  if (args.step?.endsWith("_command")) return commandSubject(args.step, args, { ...place, cwd });
  const agent = pickAgent(args);
  const payload = buildPayload(agent, args, context);
  const envelope = agent.readStep(payload, { env: {}, cwd, correlationId, time: "" });
  if (envelope === null) throw new TypeError(`${agent.name} does not know its own payload`);
  return subjectOf({ agent, ...place }, envelope);
}

/** A command of our own is matched by its line alone. */
function commandSubject(
  step: StepName,
  { command }: HooksArguments,
  { root, home, cwd }: ExplainPlace & { readonly cwd: string },
): StepSubject {
  if (command === undefined)
    throw misuse("hooks", `\`${step}\` needs \`--command\`, the words after \`adj\``);
  const envelope: Envelope = {
    ...{ protocol: 1, step, agent: OWN_AGENT, session_id: "", cwd },
    ...{ correlation_id: "", time: "", native: {}, command },
  };
  const own: Pick<HookAgent, "shellLine" | "filePaths"> = {
    shellLine: () => command,
    filePaths: () => [],
  };
  return subjectOf({ agent: own, root, home }, envelope);
}

function explainRule(rule: HookRule, subject: StepSubject, root: string) {
  const { matches, because } = matchRule(rule.match, subject);
  const { name, layer, isEnabled } = rule;
  const verdict = isEnabled ? (matches ? "yes" : "no ") : "off";
  const runs = matches && isEnabled ? `; runs ${describeRun(rule.run)}` : "";
  return {
    line: `${verdict}  ${name} (${layer}, ${whereOf(rule, root)}): ${because.join("; ")}${runs}`,
    facts: { name, layer, file: rule.file, line: rule.line, enabled: isEnabled, matches, because },
  };
}
