// The tools of a playing, carried out for real: a command is run, a file of the workspace is read, written or edited.
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { runProcess } from "../../core/process/run.ts";
import type { ToolArguments } from "../../core/step/envelope.ts";
import { asText } from "../log/json-fields.ts";
import type { WrapProgram } from "../run/adapter.ts";
import { resolveInWorkspace } from "../run/workspace.ts";

export interface ReplayContext {
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly wrap: WrapProgram | undefined;
}

export interface ToolCall {
  readonly tool: "shell" | "read" | "write" | "edit";
  readonly args: ToolArguments;
}

export interface ToolOutcome {
  readonly result: string | null;
  readonly isError: boolean;
}

/** Every failure is an outcome; an argument that is missing or no text is one too. */
export async function performTool(
  { tool, args }: ToolCall,
  place: ReplayContext,
): Promise<ToolOutcome> {
  const text = (name: string): string => {
    const value = asText(args[name]);
    if (value === null) throw new Error(`\`${name}\` must be text`);
    return value;
  };
  try {
    if (tool === "shell") return await runShell(text("command"), place);
    return { result: await changeFile(tool, text, place.workspace), isError: false };
  } catch (error) {
    return { result: error instanceof Error ? error.message : String(error), isError: true };
  }
}

function changeFile(
  tool: Exclude<ToolCall["tool"], "shell">,
  text: (name: string) => string,
  workspace: string,
): Promise<string> {
  const path = text("path");
  if (tool === "read") return readWorkspaceFile(workspace, path);
  if (tool === "write") return writeWorkspaceFile(workspace, path, text("content"));
  return editWorkspaceFile(workspace, { path, old: text("old"), new: text("new") });
}

async function runShell(command: string, place: ReplayContext): Promise<ToolOutcome> {
  const spec = {
    executable: "sh",
    args: ["-c", command],
    env: place.env,
    cwd: place.workspace,
  };
  const wrapped = (await place.wrap?.(spec)) ?? spec;
  const ending = await runProcess(wrapped, { signal: place.signal, runId: place.runId });
  const printed = Buffer.concat([ending.stdout, ending.stderr]).toString("utf8");
  const isError = ending.kind !== "exited" || ending.exitCode !== 0;
  return { result: printed, isError };
}

const MAX_READ_BYTES = 1024 * 1024;

async function readWorkspaceFile(workspace: string, path: string): Promise<string> {
  const target = await resolveTarget(workspace, path);
  const found = await stat(target);
  if (!found.isFile() || found.size > MAX_READ_BYTES)
    throw new Error(`${path} is no file of at most ${MAX_READ_BYTES} bytes`);
  return readFile(target, "utf8");
}

/** Writes a file of the workspace; its folders are made. */
async function writeWorkspaceFile(
  workspace: string,
  path: string,
  content: string,
): Promise<string> {
  const target = await resolveTarget(workspace, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
  return `wrote ${path} (${Buffer.byteLength(content)} bytes)`;
}

/** Replaces a text that stands exactly once in a file. */
async function editWorkspaceFile(
  workspace: string,
  change: { readonly path: string; readonly old: string; readonly new: string },
): Promise<string> {
  const target = await resolveTarget(workspace, change.path);
  const before = await readFile(target, "utf8");
  const count = before.split(change.old).length - 1;
  if (count !== 1)
    throw new Error(`the text to replace stands ${count} times in ${change.path}, not once`);
  // As a function, so that a `$` in the new text stays one.
  await writeFile(
    target,
    before.replace(change.old, () => change.new),
  );
  return `edited ${change.path}`;
}

/** Where a path of a playing is; one that leads out of the workspace, by a link too, is refused. */
async function resolveTarget(workspace: string, path: string): Promise<string> {
  const target = await resolveInWorkspace(workspace, path);
  if (target === null) throw new Error(`${path} is outside of the workspace`);
  return target;
}
