// `context.tool`: hooks, approvals, the act, hooks again. A command does not get past what an agent has to pass.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { findTool } from "../../agents/steps/tool-table.ts";
import type { ToolResult } from "../../core/command/context.ts";
import type { NewEvent } from "../../core/command/event.ts";
import { fault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import type { ActionCall } from "../../core/dispatch/dispatch-context.ts";
import { secretValues } from "../../core/secrets/mask.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import { runHookHandler } from "../../hooks/handlers/run.ts";
import type { ApprovalQuestion } from "../../hooks/inbox/approval-question.ts";
import { resolvePath } from "../../hooks/match/paths.ts";
import { OWN_AGENT } from "../../hooks/pipeline/command-envelope.ts";
import { describeDecidedStep } from "../../hooks/pipeline/event.ts";
import { loadHookSet } from "../../hooks/pipeline/set.ts";
import { type ApprovalPorts, type ApprovedCall, approveCall } from "../approvals/approve-call.ts";
import { askHandlers, type HandlerPorts } from "../approvals/ask-handlers.ts";
import { readSessionApprovals, readSettingsAt, rememberRule } from "../approvals/rules.ts";
import { carryOut, OWN_READER, OWN_TOOLS, readToolUse, type ToolUse } from "./own-tools.ts";

/** Throws where it is refused; what the tool itself says, an error too, is its result. */
export async function runCommandTool(
  program: Program,
  call: ActionCall,
  { name, args }: { readonly name: string; readonly args: unknown },
): Promise<ToolResult> {
  const asked = readToolUse(call.command.name, name, args);
  const ports = makePorts(program, call);
  const envelope = envelopeOf(asked, call);
  const leadsTo = placeOf(asked, call, ports.home);
  const approved = await approve(program, call, { ports, envelope });
  const { result } = approved.decision;
  if (result !== null)
    return {
      output: result.output,
      errorOutput: result.error_output ?? "",
      exitCode: result.exit_code ?? 0,
    };
  const use = readToolUse(call.command.name, name, approved.args);
  const at = placeOf(use, call, ports.home);
  // What a person looked at is what is touched: a link may have been put there meanwhile.
  if (approved.decision.args === null && at !== leadsTo)
    throw fault("Vetoed", { reason: `\`${leadsTo}\` leads elsewhere than when it was approved` });
  const { context } = call;
  const env = context.env.forChild();
  const done = await carryOut(use, { at, env, signal: context.signal });
  return afterTool(program, call, { ports, envelope: { ...envelope, args: use.args }, done });
}

type ToolPorts = ApprovalPorts & HandlerPorts;

function makePorts(program: Program, call: ActionCall): ToolPorts {
  const { context, command, env, lease: held } = call;
  const { stateDir, configDir, root } = program;
  const { signal } = context;
  return {
    paths: { stateDir, configDir },
    home: env.HOME || homedir(),
    hooks: { loadRules: loadHookSet, runRule: runHookHandler },
    readApprovals: ({ sessionId }) =>
      readSessionApprovals(program.sessions(), sessionId, () =>
        readSettingsAt(program, { cwd: context.workingDirectory, root }),
      ),
    remember: (sessionId, rule) =>
      rememberRule(program.sessions(), { sessionId, root, rule, signal, held }),
    ask: (question) => ask(call, question),
    record: (events) => {
      for (const event of events.filter((one) => !isQuestion(one)))
        program.publish(context, event.type, { name: command.name, ...event.data });
    },
  };
}

/** The dispatch records its own questions. */
const isQuestion = ({ type }: NewEvent): boolean =>
  type === "InteractionRaised" || type === "InteractionAnswered";

/** Words for a model are of no use to a command. */
async function ask({ context }: ActionCall, question: ApprovalQuestion): Promise<string> {
  const { text, choices, details } = question;
  const { ruleText } = details;
  const more = typeof ruleText === "string" ? `; \`yes-session\` remembers ${ruleText}` : "";
  return context.ask.select(
    `${text}${more}`,
    choices.filter((choice) => choice !== "no-with-words"),
  );
}

function envelopeOf({ name, args }: ToolUse, { context }: ActionCall): Envelope {
  const { workingDirectory } = context;
  return {
    protocol: 1,
    step: "before_tool",
    agent: OWN_AGENT,
    session_id: context.session.id,
    cwd: "cwd" in args ? resolve(workingDirectory, args.cwd ?? "") : workingDirectory,
    correlation_id: context.correlationId,
    time: new Date().toISOString(),
    native: { tool_name: name, tool_input: args },
    tool: name,
    kind: findTool(OWN_TOOLS, name).kind,
    args,
  };
}

/** The folder of a shell line, or where a path really leads. */
function placeOf({ args }: ToolUse, { context }: ActionCall, home: string): string {
  const { workingDirectory } = context;
  if ("path" in args) return resolvePath(args.path, { folder: workingDirectory, home });
  return "cwd" in args ? resolve(workingDirectory, args.cwd ?? "") : workingDirectory;
}

interface AskedStep {
  readonly ports: ToolPorts;
  readonly envelope: Envelope;
}

async function approve(
  { root }: Program,
  call: ActionCall,
  { ports, envelope }: AskedStep,
): Promise<ApprovedCall> {
  const { context, env } = call;
  const { signal } = context;
  const sessionId = context.session.id;
  const step = { envelope, reader: OWN_READER, root, env, sessionId, signal };
  const approved = await approveCall(ports, {
    ...{ envelope, reader: OWN_READER, sessionId, turnId: null, root, home: ports.home, signal },
    secrets: secretValues(env),
    decide: () => askHandlers(ports, step),
  });
  record(ports, envelope, { sessionId, decision: approved.decision });
  if (approved.decision.control !== "veto") return approved;
  const tool = `${call.command.name}: ${envelope.tool}`;
  if (approved.isAsked) throw fault("Declined", { name: tool });
  throw fault("Vetoed", { reason: approved.decision.reason ?? `\`${tool}\` was refused` });
}

/** A veto after the tool is a word about it. */
async function afterTool(
  { root }: Program,
  { context, env }: ActionCall,
  { ports, envelope: before, done }: AskedStep & { readonly done: ToolResult },
): Promise<ToolResult> {
  const { signal } = context;
  const sessionId = context.session.id;
  const time = new Date().toISOString();
  const output = [done.output, done.errorOutput].filter((text) => text !== "").join("\n");
  const seen = { time, is_error: done.exitCode !== 0, output };
  const envelope: Envelope = { ...before, step: "after_tool", ...seen };
  const step = { envelope, reader: OWN_READER, root, env, sessionId, signal };
  const decision = await askHandlers(ports, step);
  record(ports, envelope, { sessionId, decision });
  const parts = [
    ...(decision.control === "veto" && decision.reason !== null ? [decision.reason] : []),
    ...decision.additionalContext,
  ];
  const errorOutput = [done.errorOutput, ...parts].filter((text) => text !== "").join("\n");
  return { ...done, output: decision.output ?? done.output, errorOutput };
}

const record = (
  ports: ToolPorts,
  envelope: Envelope,
  decided: { readonly sessionId: string; readonly decision: StepDecision },
): void => ports.record(describeDecidedStep({ envelope, ...decided, virtual: null, notes: [] }));
