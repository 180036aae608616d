// What the actions ask of the host, where runs live.
import type { JsonValue } from "../../core/command/context.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import { type ConnectedHost, connectHost } from "../../session/host/connect.ts";
import type { BudgetLimits, Workflow } from "../definition/workflow.ts";
import type { WorkflowArguments } from "./arguments.ts";

/** Connected for one piece of work; a host inside this process ends with it. */
export async function withHost<Result>(
  { context, program }: BundledContext,
  work: (host: ConnectedHost) => Promise<Result>,
): Promise<Result> {
  const host = await connectHost({ program, env: context.env.forChild(), signal: context.signal });
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

interface NewRun {
  readonly runId: string;
  readonly workflow: Workflow;
  readonly given: JsonValue | undefined;
  readonly limits: BudgetLimits;
  readonly args: Pick<WorkflowArguments, "agent" | "model" | "mode" | "atOnce">;
}

const EXTENSION = "workflow";

const describeNewRun = (
  { runId, workflow, given, limits, args }: NewRun,
  { context, program }: BundledContext,
): JsonValue => ({
  runId,
  file: workflow.file,
  hash: workflow.hash,
  ...(given === undefined ? {} : { args: given }),
  agent: args.agent ?? null,
  model: args.model ?? null,
  mode: args.mode ?? null,
  limits: { ...limits },
  atOnce: args.atOnce ?? null,
  cwd: context.workingDirectory,
  root: program.root,
});

/** The run is in the journal from then on. */
export async function startInHost(
  host: ConnectedHost,
  run: NewRun,
  caller: BundledContext,
): Promise<void> {
  await call(host, "start", describeNewRun(run, caller), caller);
}

export async function resumeInHost(
  host: ConnectedHost,
  { runId, limits }: { readonly runId: string; readonly limits: BudgetLimits | null },
  caller: BundledContext,
): Promise<void> {
  await call(host, "resume", { runId, limits: limits === null ? null : { ...limits } }, caller);
}

export async function attachInHost(
  host: ConnectedHost,
  run: NewRun,
  caller: BundledContext,
): Promise<{ readonly runId: string; readonly stage: string }> {
  const sessionId = caller.context.session.id;
  const body = { ...asRecord(describeNewRun(run, caller)), sessionId };
  const reply = await call(host, "attach", body, caller);
  return { runId: textIn(reply, "runId"), stage: textIn(reply, "stage") };
}

/** Where it goes on, or why it does not. */
export async function moveInHost(
  host: ConnectedHost,
  saved: { readonly runId: string; readonly stage: string },
  caller: BundledContext,
): Promise<{
  readonly problem: string | null;
  readonly stage: string;
  readonly from: string | null;
}> {
  const sessionId = caller.context.session.id;
  const body = { ...saved, sessionId, root: caller.program.root };
  const reply = asRecord(await call(host, "move", body, caller));
  const { problem, stage, from } = reply;
  const textOr = (value: JsonValue | undefined) => (typeof value === "string" ? value : null);
  return { problem: textOr(problem), stage: textOr(stage) ?? saved.stage, from: textOr(from) };
}

export async function detachInHost(host: ConnectedHost, caller: BundledContext): Promise<void> {
  await call(host, "detach", { sessionId: caller.context.session.id }, caller);
}

const call = (
  host: ConnectedHost,
  method: string,
  body: JsonValue,
  { context }: BundledContext,
): Promise<JsonValue> => host.callExtension(EXTENSION, method, body, context.env.forChild());

const asRecord = (value: JsonValue): Readonly<Record<string, JsonValue>> =>
  isJsonObject(value) ? value : {};

function textIn(reply: JsonValue, field: string): string {
  const value = asRecord(reply)[field];
  if (typeof value === "string") return value;
  throw new TypeError(`the host answered without ${field}: ${JSON.stringify(reply)}`);
}
