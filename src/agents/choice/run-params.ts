// The params of one run: gathered from flags, session and settings, announced, and told of where they do not fit.
import { fault } from "../../core/command/fault.ts";
import { shapeOf } from "../../core/command/recorded-arguments.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import type { AgentAdapter } from "../run/adapter.ts";
import { type Params, readAssignments } from "./param-words.ts";
import {
  findParamProblem,
  listParamSettings,
  listParams,
  paramValues,
  type ResolvedParams,
  resolveParams,
} from "./params.ts";

interface RunParamsRequest {
  readonly adapter: AgentAdapter;
  readonly version: string | null;
  /** `--param path=value`, as typed. */
  readonly flags: readonly string[];
  /** The command that takes them, for its faults. */
  readonly command: string;
}

/** What is left out is said on stderr; a flag without a place is a fault, for it was given for this run. */
export function gatherRunParams(
  { flags: words, ...request }: RunParamsRequest,
  run: BundledContext,
): Promise<ResolvedParams> {
  return gatherParams({ ...request, flags: readFlags(words, request.command) }, run);
}

/** The same for what a command's own code says for one run. */
export async function gatherParams(
  {
    adapter,
    version,
    flags,
    command,
  }: Omit<RunParamsRequest, "flags"> & { readonly flags: Params },
  { context, program }: BundledContext,
): Promise<ResolvedParams> {
  const settingNames = listParamSettings(adapter, version);
  for (const path of Object.keys(flags)) {
    const problem = findParamProblem(path, settingNames, adapter.name);
    if (problem !== null) throw refuse(command, problem, settingNames);
  }
  const { params: session } = await context.session.get();
  const { params: settings } = await program.settings();
  const lower = paramValues(listParams({ session, settings }));
  announceFlags(flags, lower, { context, program });
  const inForce = paramValues(listParams({ flags, session, settings }));
  const resolved = resolveParams(adapter, version, inForce, context.env.forChild());
  const wrong = resolved.leftOut.find(({ path }) => Object.hasOwn(flags, path));
  if (wrong !== undefined) throw refuse(command, wrong.problem, settingNames);
  for (const { path, problem } of resolved.leftOut)
    await context.write(`adj: param \`${path}\` is left out: ${problem}\n`, "stderr");
  return resolved;
}

function readFlags(words: readonly string[], command: string): Params {
  const read = readAssignments(words);
  if (read.kind === "accepted") return read.value;
  const { problem, hint } = read;
  throw fault("ArgumentsInvalid", { command, problem: `\`--param\`: ${problem}` }, { hint });
}

const refuse = (command: string, problem: string, settingNames: readonly string[]) =>
  fault("ArgumentsInvalid", { command, problem }, { hint: describeSettings(settingNames) });

export const describeSettings = (settingNames: readonly string[]): string =>
  settingNames.length === 0 ? "it takes no params" : `it has ${settingNames.join(", ")}`;

/** A layer of its own, with an event for each path; values appear as shapes only. */
export function announceFlags(
  flags: Params,
  lower: Params,
  { context, program }: BundledContext,
): void {
  for (const [paramPath, value] of Object.entries(flags)) {
    const before = lower[paramPath];
    const from = before === undefined ? "unset" : shapeOf(before);
    const redactedDelta = { from, to: shapeOf(value) };
    program.publish(context, "ParamsChanged", { paramPath, sourceLayer: "flag", redactedDelta });
  }
}
