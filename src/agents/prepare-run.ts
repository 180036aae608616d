import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { AgentAdapter, AgentCommand, AgentExecutionContext, ConfigPlace } from "./adapter.ts";
import type { ConfigProblem } from "./config-check.ts";
import type { ErrorReason } from "./error-codes.ts";
import { asName, asRecord } from "./json-fields.ts";
import { checkLogin } from "./login.ts";
import { readPromptFile } from "./prompt-file.ts";

export interface AgentRunRequest {
  /** As the user wrote it. */
  readonly config: unknown;
  readonly workspaceDir: string;
  readonly timeout: number;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly logDir: string;
  readonly program?: string;
  readonly agentVersion?: string | null;
  /** False for a prompt that Adjutant assembled, which has its own budget. */
  readonly isPromptBounded?: boolean;
  /** See `ConfigPlace`. */
  readonly areArgumentsChecked?: boolean;
  /** See `AgentExecutionContext`. */
  readonly isPromptInArguments?: boolean;
}

export interface Refusal {
  readonly reason: ErrorReason;
  readonly message: string;
  /** The field it is about. */
  readonly path: string | null;
}

export type PreparedRun =
  | { readonly kind: "ready"; readonly context: AgentExecutionContext }
  | { readonly kind: "refused"; readonly errors: readonly Refusal[] };

/** Everything that can be known to be wrong before a process is started. */
export async function prepareRun(
  adapter: AgentAdapter,
  request: AgentRunRequest,
): Promise<PreparedRun> {
  const checked = await checkRun(adapter, request);
  if (checked.kind === "refused") return checked;
  if ((await checkLogin(adapter.login, request.env)) === false)
    return refuse([describeMissingLogin(adapter)]);
  return checked;
}

/** The same without a look at the login: what would run can be shown without one. */
export async function checkRun(
  adapter: AgentAdapter,
  request: AgentRunRequest,
): Promise<PreparedRun> {
  const placeProblems = findPlaceProblems(request);
  const file = await readNamedPrompt(request);
  const check = adapter.checkConfig(request.config, describePlace(request, file.text));
  const problems = [
    ...placeProblems,
    ...(check.kind === "invalid" ? check.problems : []),
    ...file.problems,
  ];
  if (check.kind === "invalid" || problems.length > 0) return refuse(problems.map(describeProblem));
  const context = { ...request, config: check.config };
  const commandProblem = findCommandProblem(adapter.buildCommand(context));
  if (commandProblem !== null) return refuse([describeProblem(commandProblem)]);
  return { kind: "ready", context };
}

const refuse = (errors: readonly Refusal[]): PreparedRun => ({ kind: "refused", errors });

const describeProblem = ({ path, message }: ConfigProblem): Refusal => ({
  reason: "INVALID_CONFIG",
  message: path === "" ? message : `\`${path}\` ${message}`,
  path: path === "" ? null : path,
});

const describeMissingLogin = ({ name, login }: AgentAdapter): Refusal => ({
  reason: "AUTH_FAILED",
  message: `\`${name}\` has no login and none of ${login.variables.join(", ")} is set`,
  path: null,
});

function describePlace(request: AgentRunRequest, promptFileText: string | null): ConfigPlace {
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

function findPlaceProblems({ workspaceDir, timeout }: AgentRunRequest): ConfigProblem[] {
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

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function findCommandProblem(command: AgentCommand): ConfigProblem | null {
  if (command.executable === "") return { path: "", message: "there is no program to run" };
  const hasNul = [command.executable, ...command.args].some((word) => word.includes("\0"));
  return hasNul ? { path: "", message: "an argument contains a NUL character" } : null;
}
