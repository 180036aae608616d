// A call and its plan → the prompt, and what the agent is asked to run with it.
import { fstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { pickEnvironment } from "../../agents/run/login.ts";
import type { AgentRunRequest } from "../../agents/run/prepare-run.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { childEnvironment } from "../../core/process/environment.ts";
import { trustLine } from "../../core/project/trust/use-copy.ts";
import { positionalWords } from "../argv/flag-words.ts";
import { type AssembledPrompt, assembleBody } from "../body/assemble.ts";
import { listVariables, mentionsStdin } from "../body/body.ts";
import type { BodyContext, VariableValue } from "../body/context.ts";
import { readGitBranch } from "../body/git.ts";
import { createInlineRunner } from "../body/inline-commands.ts";
import { decideStdin, decodeStdin, type StdinKind } from "../body/inserted-text.ts";
import { isAdjutantKey } from "../file/keys.ts";
import type { MarkdownCall } from "./call.ts";
import type { MarkdownPlan } from "./plan-markdown.ts";

interface PromptOptions {
  /** What `pre` printed; its command lines where nothing is run. */
  readonly pre: string;
  /** Commands and addresses stay text. */
  readonly isDryRun: boolean;
}

/** The body as this call has it: its variables, what it may import, and who runs its commands. */
export async function assemblePrompt(
  call: MarkdownCall,
  plan: MarkdownPlan,
  { pre, isDryRun }: PromptOptions,
): Promise<AssembledPrompt> {
  const { file, context, program } = call;
  const environment = stepEnvironment(call);
  const cwd = context.workingDirectory;
  const stdin = call.isExplained ? { variable: "", appended: null } : await readPiped(call);
  const bodyContext: BodyContext = {
    variables: { ...listValues(call, plan), stdin: stdin.variable, pre },
    readBranch: () => readGitBranch({ cwd, environment, signal: context.signal }),
    appendedStdin: stdin.appended,
    file: file.path,
    folder: dirname(file.file),
    agentFolder: plan.cwd,
    layerFolder: file.layerFolder,
    home: environment.HOME ?? "/",
    ownFolders: [program.root, program.configDir, file.layerFolder.shown, file.layerFolder.real],
    importPermission: ({ path }) => confirm(context, `import \`${path}\` into the prompt?`),
    urls: {
      hosts: plan.settings.importHosts,
      lockFile: join(file.layerFolder.shown, "imports.lock"),
      ...(file.layerFolder.isCopy === true && { root: dirname(file.layerFolder.shown) }),
      acceptChange: ({ url }) => confirm(context, `\`${url}\` changed; take what it says now?`),
    },
    runInline: isDryRun ? null : createInlineRunner({ cwd, environment, approve: lineOf(call) }),
    environment,
    signal: context.signal,
  };
  return assembleBody(file.body, bodyContext);
}

/** A line of the file with a project's own programs as they were approved. */
export const lineOf =
  ({ file, context }: MarkdownCall) =>
  (line: string): string => {
    const { shown, real, isCopy = false } = file.layerFolder;
    if (!isCopy) return line;
    const { workingDirectory } = context;
    return trustLine(line, { root: dirname(shown), copyDir: dirname(real), workingDirectory });
  };

const confirm = async (context: CommandContext, question: string): Promise<boolean> =>
  context.isInteractive && context.ask.confirm(question);

/** What a command of the file is given: the base set and what `env` sets. */
export function stepEnvironment({ file, context }: MarkdownCall): Record<string, string> {
  const { env, "inherit-env": inheritEnv = false } = file.fields;
  const isMap = typeof env === "object" && !Array.isArray(env);
  const entries = isMap ? Object.entries(env) : [];
  const set = entries.filter(([, value]) => value !== null);
  const source = Object.fromEntries(
    Object.entries(context.env.forChild()).filter(
      ([name]) => !entries.some(([unset, value]) => unset === name && value === null),
    ),
  );
  const declared = Object.fromEntries(set.map(([name, value]) => [name, String(value)]));
  return childEnvironment({ source, declared, inheritEnv });
}

/** Inputs, words, and what the file itself says where the text asks for it. */
export function listValues(
  { file, context }: MarkdownCall,
  { inputs, words, translated, adapter }: MarkdownPlan,
): Record<string, VariableValue> {
  const own = listVariables(file.body).filter(isAdjutantKey);
  const ownValues = own.map((name) => [name, printable(file.frontMatter[name])] as const);
  const numbered = words.words.map((word, at) => [`arg${at + 1}`, word] as const);
  return {
    ...Object.fromEntries(ownValues),
    model: printable(translated.settings.model),
    agent: adapter.name,
    ...inputs.values,
    ...Object.fromEntries(numbered),
    // Only an explanation gets here without them.
    ...Object.fromEntries(words.missing.map((name) => [name, `<${name}>`])),
    args: words.words,
    cwd: context.workingDirectory,
  };
}

function printable(value: unknown): VariableValue {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  return Array.isArray(value) ? value.map(String) : null;
}

async function readPiped({ file, context }: MarkdownCall) {
  const kind = context.hasPipedInput ? kindOfStdin() : "terminal";
  const decision = decideStdin(mentionsStdin(file.body), kind);
  if (decision === "leave") return { variable: "", appended: null };
  const text = decodeStdin(await context.readInput());
  const isVariable = decision === "variable";
  return { variable: isVariable ? text : "", appended: isVariable || text === "" ? null : text };
}

function kindOfStdin(): StdinKind {
  const stat = fstatSync(0);
  if (stat.isFIFO()) return "pipe";
  if (stat.isFile()) return "file";
  return stat.isSocket() ? "socket" : "other";
}

export type MarkdownRequest = Omit<AgentRunRequest, "runId" | "logDir">;

/** One argument of 131,072 bytes fails on Linux. */
const MAX_ARGUMENT_BYTES = 131_071;

export function buildRequest(
  call: MarkdownCall,
  plan: MarkdownPlan,
  prompt: string,
): MarkdownRequest {
  const isPromptInArguments = isPromptArgument(plan);
  refusePrompt(prompt, isPromptInArguments);
  const args = listArguments(plan, isPromptInArguments ? prompt : null);
  return {
    config: { ...plan.translated.settings, prompt, extra_args: args },
    workspaceDir: plan.cwd,
    timeout: plan.timeout,
    env: environmentOf(call, plan),
    ...plan.located,
    isPromptBounded: false,
    areArgumentsChecked: true,
    isPromptInArguments,
  };
}

const isPromptArgument = ({ translated, adapter, located }: MarkdownPlan): boolean =>
  translated.mappings.has(1) || adapter.capabilities(located.agentVersion).prompt === "argument";

function refusePrompt(prompt: string, isArgument: boolean): void {
  const refuse = (problem: string, hint: string) =>
    fault("InputInvalid", { what: "the prompt", problem }, { hint });
  if (prompt.includes("\0"))
    throw refuse(
      "it holds a NUL byte",
      "no agent takes one; look at what was imported or piped in",
    );
  const bytes = Buffer.byteLength(prompt);
  if (isArgument && bytes > MAX_ARGUMENT_BYTES)
    throw refuse(
      `its ${bytes} bytes are more than one argument can hold, ${MAX_ARGUMENT_BYTES}`,
      "without `$1` it goes by stdin, which has no limit",
    );
}

/** Words that the template used up have no position any more; the others keep their flags. */
function listArguments(
  { translated: { args, mappings }, words }: MarkdownPlan,
  prompt: string | null,
): string[] {
  return [
    ...args,
    ...(prompt === null ? [] : positionalWords(mappings.get(1), prompt)),
    ...words.left.flatMap(({ word, position }) => positionalWords(mappings.get(position), word)),
  ];
}

function environmentOf(
  { file, context }: MarkdownCall,
  { adapter, translated }: MarkdownPlan,
): Record<string, string> {
  const all = context.env.forChild();
  const given = file.fields["inherit-env"] === true ? all : pickEnvironment(adapter, all);
  const unset = new Set(translated.unsetEnv);
  const entries = Object.entries({ ...given, ...translated.env }).filter(
    ([name]) => !unset.has(name),
  );
  return Object.fromEntries(entries);
}
