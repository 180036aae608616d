// Everything that can be known to be wrong with a run before a process is started.

import { readFile } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { messageOf } from "../../core/command/fault.ts";
import { isFolder } from "../../core/project/files.ts";
import { asRecord } from "../../core/project/json-value.ts";
import type { ErrorReason } from "../log/error-reasons.ts";
import { errorEvent, finalEvent, type LogEvent } from "../log/event.ts";
import { asName } from "../log/json-fields.ts";
import type {
  AgentAdapter,
  AgentCommand,
  AgentExecutionContext,
  AgentRunPlan,
  ConfigContext,
} from "./adapter.ts";
import { type ConfigProblem, readPromptFile } from "./config.ts";
import type { TurnEnding } from "./conversation.ts";
import { checkLogin } from "./login.ts";

/** A run as it is asked for; its configuration is not checked yet. */
export interface AgentRunRequest extends Omit<AgentExecutionContext, "config"> {
  /** The user's own fields. */
  readonly config: unknown;
  /** False for a prompt that Adjutant assembled, which has its own budget. */
  readonly isPromptBounded?: boolean;
  /** See `ConfigContext`. */
  readonly areArgumentsChecked?: boolean;
}

export interface Refusal {
  readonly reason: ErrorReason;
  readonly message: string;
  /** The field it is about. */
  readonly path: string | null;
}

type PreparedRun =
  | { readonly kind: "ready"; readonly plan: AgentRunPlan }
  | {
      readonly kind: "refused";
      readonly errors: readonly Refusal[];
      /** The command line that would have run; null where it could not be built. */
      readonly command: AgentCommand | null;
    };

/** Checks the configuration, builds the command line and looks for a login. */
export async function prepareRun(
  adapter: AgentAdapter,
  request: AgentRunRequest,
): Promise<PreparedRun> {
  const checked = await checkRun(adapter, request);
  if (checked.kind === "refused") return checked;
  if ((await checkLogin(adapter.login, request.env)) === false)
    return refuse([describeMissingLogin(adapter)], checked.plan.command);
  return checked;
}

/** Checks a run without a look at the login: what would run can be shown without one. */
export async function checkRun(
  adapter: AgentAdapter,
  request: AgentRunRequest,
): Promise<PreparedRun> {
  const requestProblems = findRequestProblems(request);
  const file = await readNamedPrompt(request);
  const schema = await readOutputSchema(request.config, request.workspaceDir);
  const check = adapter.checkConfig(schema.config, configContext(request, file.text));
  const problems = [
    ...requestProblems,
    ...(check.kind === "invalid" ? check.problems : []),
    ...file.problems,
    ...schema.problems,
  ];
  if (check.kind === "invalid" || problems.length > 0) return refuse(problems.map(describeProblem));
  const context = { ...request, config: check.config };
  const command = adapter.buildCommand(context);
  const commandProblem = findCommandProblem(command);
  if (commandProblem !== null) return refuse([describeProblem(commandProblem)]);
  return { kind: "ready", plan: { context, command } };
}

const refuse = (errors: readonly Refusal[], command: AgentCommand | null = null): PreparedRun => ({
  kind: "refused",
  errors,
  command,
});

const describeProblem = ({ path, message }: ConfigProblem): Refusal => ({
  reason: "INVALID_CONFIG",
  message: path === "" ? message : `\`${path}\`: ${message}`,
  path: path === "" ? null : path,
});

const describeMissingLogin = ({ name, login }: AgentAdapter): Refusal => ({
  reason: "AUTH_FAILED",
  message: `\`${name}\` has no login and none of ${login.variables.join(", ")} is set`,
  path: null,
});

function configContext(request: AgentRunRequest, promptFileText: string | null): ConfigContext {
  return {
    agentVersion: request.agentVersion ?? null,
    isRoot: process.getuid?.() === 0,
    env: request.env,
    promptFileText,
    isPromptBounded: request.isPromptBounded ?? true,
    areArgumentsChecked: request.areArgumentsChecked ?? false,
  };
}

async function readNamedPrompt({ config, workspaceDir }: AgentRunRequest): Promise<{
  readonly text: string | null;
  readonly problems: readonly ConfigProblem[];
}> {
  const path = asName(asRecord(config).prompt_file);
  if (path === null) return { text: null, problems: [] };
  const file = await readPromptFile(workspaceDir, path);
  return file.kind === "read"
    ? { text: file.text, problems: [] }
    : { text: null, problems: [file.problem] };
}

interface SchemaReading {
  readonly config: unknown;
  readonly problems: readonly ConfigProblem[];
}

/** A schema that is named by its path becomes its text: agents differ in which of the two they take. */
async function readOutputSchema(config: unknown, workspaceDir: string): Promise<SchemaReading> {
  const path = asName(asRecord(config).output_schema);
  if (path === null || /^\s*[{[]/.test(path)) return { config, problems: [] };
  const complain = (message: string): SchemaReading => ({
    config,
    problems: [{ path: "output_schema", message }],
  });
  try {
    const text = await readFile(resolve(workspaceDir, path), "utf8");
    const schema: unknown = JSON.parse(text);
    if (typeof schema !== "object" || schema === null) return complain(`\`${path}\` holds no map`);
    return { config: { ...asRecord(config), output_schema: schema }, problems: [] };
  } catch (error) {
    if (error instanceof SyntaxError) return complain(`\`${path}\` is not JSON`);
    return complain(`\`${path}\` cannot be read: ${messageOf(error)}`);
  }
}

function findRequestProblems({ workspaceDir, timeout }: AgentRunRequest): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if (!isAbsolute(workspaceDir))
    problems.push({
      path: "workspace",
      message: `must be an absolute path, not \`${workspaceDir}\``,
    });
  else if (!isFolder(workspaceDir))
    problems.push({
      path: "workspace",
      message: `must be an existing folder, \`${workspaceDir}\` is not`,
    });
  if (!Number.isInteger(timeout) || timeout < 0)
    problems.push({
      path: "timeout",
      message: "must be a whole number of milliseconds, 0 for none",
    });
  return problems;
}

function findCommandProblem(command: AgentCommand): ConfigProblem | null {
  if (command.executable === "") return { path: "", message: "there is no program to run" };
  const hasNul = [command.executable, ...command.args].some((word) => word.includes("\0"));
  return hasNul ? { path: "", message: "an argument contains a NUL character" } : null;
}

/** A prompt of a conversation that cannot be sent, for its model say: the turn ends with the reasons. */
export function refuseTurn(
  errors: readonly Refusal[],
  onEvent: (event: LogEvent) => void,
): TurnEnding {
  for (const { reason, message } of errors) onEvent(errorEvent(reason, message));
  onEvent(finalEvent({ isSuccess: false }));
  return { kind: "ended" };
}
