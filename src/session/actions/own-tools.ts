// The tools of commands: what they are called, what they take, and what hooks and approvals see in them.

import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { readCalls, type ToolTable } from "../../agents/steps/tool-table.ts";
import type { CommandTools, ToolResult } from "../../core/command/context.ts";
import { fault, messageOf, systemCodeOf } from "../../core/command/fault.ts";
import { didYouMean } from "../../core/command/names.ts";
import { parseDuration } from "../../core/command/time.ts";
import { type ProcessEnding, shellExitCode } from "../../core/process/command-spec.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { readAtMost } from "../../core/process/read-stream.ts";
import { runProcess } from "../../core/process/run.ts";
import { describeFileError } from "../../core/project/files.ts";
import { isRecord } from "../../core/project/json-value.ts";
import type { StepReader } from "../../hooks/pipeline/decide-step.ts";

export const OWN_TOOLS: ToolTable = {
  mcp: /(?!)/,
  tools: {
    shell: { kind: "shell", line: "command" },
    read: { kind: "read", paths: ["path"] },
    write: { kind: "write", paths: ["path"] },
    edit: { kind: "edit", paths: ["path"] },
    fetch: { kind: "fetch" },
  },
};

/** Handlers are given as long as an agent's hook has. */
const HANDLER_LIMIT_MS = 60_000;

export const OWN_READER: StepReader = {
  ...readCalls(OWN_TOOLS),
  abilities: { hookLimitMs: HANDLER_LIMIT_MS },
};

/** A tool with arguments that were checked. */
export type ToolUse = {
  [Name in keyof CommandTools]: { readonly name: Name; readonly args: CommandTools[Name] };
}[keyof CommandTools];

/** Throws `ArgumentsInvalid` in the words of the command that asked. */
export function readToolUse(command: string, name: string, given: unknown): ToolUse {
  const refuse = (problem: string) => fault("ArgumentsInvalid", { command, problem });
  if (!isRecord(given)) throw refuse(`the tool \`${name}\` takes an object`);
  const text = (key: string): string => {
    const value = given[key];
    if (typeof value === "string" && !value.includes("\0")) return value;
    throw refuse(`the tool \`${name}\` needs \`${key}\`, a text`);
  };
  const optional = (key: string) => (given[key] === undefined ? {} : { [key]: text(key) });
  switch (name) {
    case "shell":
      if (given.timeout !== undefined && parseDuration(text("timeout")) === null)
        throw refuse("`timeout` must be a duration such as `30s`");
      return {
        name,
        args: { command: text("command"), ...optional("cwd"), ...optional("timeout") },
      };
    case "read":
      return { name, args: { path: text("path") } };
    case "write":
      return { name, args: { path: text("path"), content: text("content") } };
    case "edit": {
      const edit = { path: text("path"), oldText: text("oldText"), newText: text("newText") };
      return { name, args: given.all === true ? { ...edit, all: true } : edit };
    }
    case "fetch": {
      const fields = { url: text("url"), ...optional("method"), ...optional("body") };
      return { name, args: { ...fields, ...headersOf(given.headers, refuse) } };
    }
    default: {
      const question = didYouMean(name, Object.keys(OWN_TOOLS.tools), 1);
      throw refuse(`there is no tool \`${name}\`${question}`);
    }
  }
}

function headersOf(given: unknown, refuse: (problem: string) => Error) {
  if (given === undefined) return {};
  const pairs = isRecord(given) ? Object.entries(given) : null;
  const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === "string";
  if (pairs === null || !pairs.every(isText)) throw refuse("`headers` must be texts by name");
  return { headers: Object.fromEntries(pairs) };
}

// A tool of a command, carried out: exactly what was approved, and what goes wrong is a result.

interface ActionContext {
  /** Where a shell line runs; of a tool for files, the real path that was approved. */
  readonly at: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function carryOut(use: ToolUse, context: ActionContext): Promise<ToolResult> {
  switch (use.name) {
    case "shell":
      return runLine(use.args, context);
    case "read":
      return onFile(async () => done(await readWhole(context.at)));
    case "write":
      return onFile(() => writeWhole(context.at, use.args.content));
    case "edit":
      return onFile(() => editFile(use.args, context.at));
    case "fetch":
      return fetchUrl(use.args, context);
  }
}

const done = (output: string): ToolResult => ({ output, errorOutput: "", exitCode: 0 });
const failed = (errorOutput: string): ToolResult => ({ output: "", errorOutput, exitCode: 1 });

// A shell line, by bash where there is one; start-up files are not read.

async function runLine(
  { command, timeout }: CommandTools["shell"],
  { at: cwd, env, signal }: ActionContext,
): Promise<ToolResult> {
  const bash = await findProgram("bash", { path: env.PATH, cwd });
  const shell =
    bash.kind === "found"
      ? { executable: bash.path, args: ["--noprofile", "--norc", "-c", command] }
      : { executable: "sh", args: ["-c", command] };
  const timeoutMs = timeout === undefined ? 0 : (parseDuration(timeout) ?? 0);
  const ending = await runProcess({ ...shell, env, cwd }, { signal, timeoutMs });
  signal.throwIfAborted();
  const [output, said] = [ending.stdout, ending.stderr].map((bytes) =>
    Buffer.from(bytes).toString(),
  );
  const problem = problemOf(ending);
  const errorOutput = [said ?? "", problem].filter((text) => text !== "").join("\n");
  return { output: output ?? "", errorOutput, exitCode: shellExitCode(ending) };
}

function problemOf(ending: ProcessEnding): string {
  if (ending.kind === "timed_out") return "it did not end in time";
  if (ending.kind === "not_started") return `it could not be started: ${ending.problem}`;
  return ending.truncated ? "more was printed than was kept" : "";
}

// Files. The path is where the approved one led, so its last part must be no link by now.

const MAX_FILE_BYTES = 10 * 1024 * 1024;

async function onFile(act: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await act();
  } catch (error) {
    if (systemCodeOf(error) === null) throw error;
    return failed(describeFileError(error));
  }
}

async function readWhole(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    if (size > MAX_FILE_BYTES) throw Object.assign(new Error("too large"), { code: "EFBIG" });
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

async function writeWhole(path: string, content: string): Promise<ToolResult> {
  await mkdir(dirname(path), { recursive: true });
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = await open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o666);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
  return done("");
}

async function editFile(
  { oldText, newText, all = false }: CommandTools["edit"],
  path: string,
): Promise<ToolResult> {
  const before = await readWhole(path);
  const parts = oldText === "" ? [before] : before.split(oldText);
  if (parts.length === 1) return failed("`oldText` is not in the file");
  if (parts.length > 2 && !all) return failed("`oldText` is there more than once; give more of it");
  return writeWhole(path, parts.join(newText));
}

// An address, and none that it sends us to.

const MAX_BODY_BYTES = 10 * 1024 * 1024;

async function fetchUrl(
  { url, method = "GET", headers = {}, body }: CommandTools["fetch"],
  { signal }: ActionContext,
): Promise<ToolResult> {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
    return failed("it is no address of the web");
  const sent = { method, headers, ...(body === undefined ? {} : { body }) };
  try {
    const response = await fetch(url, { ...sent, redirect: "manual", signal });
    const output = await readBody(response);
    if (response.ok) return done(output);
    const location = response.headers.get("location");
    const where = location === null ? "" : `, to \`${location}\``;
    return { output, errorOutput: `it answered with ${response.status}${where}`, exitCode: 1 };
  } catch (error) {
    signal.throwIfAborted();
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return failed(messageOf(cause));
  }
}

async function readBody({ body }: Response): Promise<string> {
  if (body === null) return "";
  const bytes = await readAtMost(body, MAX_BODY_BYTES);
  if (bytes === null) throw new Error("the answer is over 10 MiB");
  return bytes.toString();
}
