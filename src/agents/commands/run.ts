// `adj agent run`: choose, locate, run, keep the log, and answer with what the agent said.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CommandContext } from "../../core/command/context.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { writeNamedFile } from "../../core/project/files.ts";
import { jsonOrText } from "../../core/project/json-value.ts";
import { type Chosen, findChosen } from "../choice/choice.ts";
import type { ResolvedParams } from "../choice/params.ts";
import { gatherRunParams } from "../choice/run-params.ts";
import type { RunLog } from "../log/run-log.ts";
import { requireAdapter } from "../roster.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import { openAgentSearch } from "../run/availability.ts";
import {
  concludeAgentRun,
  locateForRun,
  readTimeout,
  runForCommand,
  writeLastEvent,
} from "../run/command-run.ts";
import { pickEnvironment } from "../run/login.ts";
import { DEFAULT_TIMEOUT_MS } from "../run/run-agent.ts";
import type { AgentArguments } from "./arguments.ts";
import { guardProject } from "./project-guard.ts";

export async function startRun(
  args: AgentArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  // A flag that cannot be meant is said before anything about the agent.
  const timeout =
    args.timeout === undefined ? DEFAULT_TIMEOUT_MS : readTimeout(args.timeout, "agent");
  const chosen = await findChosen(context, program, await context.session.get());
  const named = args.subject ?? chosen.agent.value;
  if (named === null)
    throw fault(
      "ArgumentsInvalid",
      { command: "agent", problem: "no agent is named and none is chosen" },
      { hint: "`adj agent list` shows which are here" },
    );
  const adapter = await requireAdapter(named);
  const { name } = adapter;
  const search = await openAgentSearch(context, program);
  const workspaceDir = resolve(context.workingDirectory, args.workspace ?? ".");
  const asked = { prompt: args.prompt ?? args.words.join(" "), model: args.model };
  const wanted = { adapter, config: asked, workspaceDir };
  const located = await locateForRun(wanted, search, { context, program });
  const { agentVersion: version } = located;
  const flags = { adapter, version, flags: args.param, command: "agent" };
  const params = await gatherRunParams(flags, { context, program });
  const chosenModel = modelFor(name, chosen);
  const config = await readRunConfig(args, { adapter, context, params, chosenModel });
  const env = pickEnvironment(adapter, search.env);
  const { allowHooksOff, projectSettings } = args;
  const guarded = { agent: name, workspaceDir, env, allowHooksOff, projectSettings };
  const request = {
    config,
    ...(await guardProject(guarded, { context, program })),
    workspaceDir,
    timeout,
    env,
    ...located,
  };
  const { retries, events: asEvents, raw: isRaw } = args;
  const run = { adapter, request, retries, asEvents, isRaw, secrets: params.secrets };
  const { log, keptLog, logDir, logPath } = await runForCommand(run, { context, program });
  await writeCopies(args, {
    ...{ log: keptLog, logDir },
    ...{ cwd: context.workingDirectory, root: program.root },
  });
  if (args.events) await writeLastEvent(log, context);
  return concludeAgentRun(log, logPath);
}

/** A model was chosen for an agent, so another one does not get it. */
const modelFor = (name: string, { agent, model }: Chosen): string | null =>
  agent.value === null || agent.value === name || model.source === "environment"
    ? model.value
    : null;

/** Copies are kept and given to others, so they are made of the log whose secrets are masked. */
async function writeCopies(
  { logFormat, otel, record }: AgentArguments,
  { log, logDir, cwd, root }: { log: RunLog; logDir: string; cwd: string; root: string },
): Promise<void> {
  const print = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const hint = `nothing is lost: the log is in \`${logDir}\``;
  if (logFormat === "youbencha") {
    const { toYoubenchaLog } = await import("../log/youbencha-log.ts");
    writeFileSync(join(logDir, "youbencha-log.json"), print(toYoubenchaLog(log)));
  }
  if (otel !== undefined) {
    const { toOtelSpans } = await import("../log/otel-spans.ts");
    const named = { flag: "--otel", hint, root };
    await writeNamedFile(resolve(cwd, otel), print(toOtelSpans(log)), named);
  }
  if (record !== undefined) {
    const { recordCassette } = await import("../replay/record-cassette.ts");
    const named = { flag: "--record", hint, root };
    await writeNamedFile(resolve(cwd, record), print(recordCassette(log)), named);
  }
}

interface RunConfigContext {
  readonly adapter: AgentAdapter;
  readonly context: CommandContext;
  readonly params: ResolvedParams;
  readonly chosenModel: string | null;
}

/** The agent's configuration as the words of the command line amount to; the adapter checks it. */
async function readRunConfig(
  args: AgentArguments,
  context: RunConfigContext,
): Promise<Record<string, unknown>> {
  const isFlag = args.param.some((word) => word.startsWith("model="));
  const model = args.model ?? (isFlag ? null : context.chosenModel);
  return {
    ...context.params.settings,
    ...Object.fromEntries(args.set.map(readSetting)),
    ...(model === null ? {} : { model }),
    ...(args.permission === undefined ? {} : { permission_mode: args.permission }),
    ...(args.cassette === undefined ? {} : { cassette: args.cassette }),
    ...(await readPrompt(args, context)),
  };
}

function readSetting(assignment: string): [string, unknown] {
  const [, name, value] = /^([a-z_]+)=([\s\S]*)$/.exec(assignment) ?? [];
  if (name === undefined || value === undefined)
    throw fault("ArgumentsInvalid", {
      command: "agent",
      problem: "`--set` takes `name=value`, such as `max_turns=3`",
    });
  return [name, jsonOrText(value)];
}

async function readPrompt(
  { prompt: flag, promptFile, words }: AgentArguments,
  { adapter, context }: RunConfigContext,
): Promise<Record<string, unknown>> {
  if (flag !== undefined && words.length > 0)
    throw misuse("agent", "give the prompt as words or with `--prompt`, not both");
  const prompt = words.length > 0 ? words.join(" ") : flag;
  if (promptFile !== undefined && prompt !== undefined)
    throw misuse("agent", "give the prompt as text or with `--prompt-file`, not both");
  if (promptFile !== undefined) return { prompt_file: promptFile };
  if (prompt !== undefined) return { prompt };
  const piped = context.hasPipedInput ? Buffer.from(await context.readInput()).toString() : "";
  if (piped !== "") return { prompt: piped };
  if (adapter.capabilities(null).prompt === "none") return {};
  throw fault(
    "ArgumentsInvalid",
    { command: "agent", problem: "there is no prompt" },
    { hint: "give it as words, with `--prompt-file`, or pipe one in" },
  );
}
