import { fault } from "./fault.ts";

/** Text, or bytes that are never re-encoded. */
export type Output = string | Uint8Array;

export const textOfOutput = (output: Output): string =>
  typeof output === "string" ? output : Buffer.from(output).toString();

/** How a command ended. `success` always equals `exitCode === 0`; a failed one has the same fields. */
export interface CommandResult {
  readonly success: boolean;
  readonly output: Output;
  readonly errorOutput: Output | null;
  readonly exitCode: number;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/**
 * A successful result, with optional data for `--json` and other programs.
 *
 * @example
 * ok("3 branches", { branches: ["main", "next", "old"] });
 */
export function ok(
  output: Output = "",
  metadata: Record<string, unknown> | null = null,
): CommandResult {
  return { success: true, output, errorOutput: null, exitCode: 0, metadata };
}

/**
 * A failed result that says why.
 *
 * @example
 * fail("no such branch", 3);
 */
export function fail(
  errorOutput: Output,
  exitCode = 1,
  metadata: Record<string, unknown> | null = null,
): CommandResult {
  return { success: false, output: "", errorOutput, exitCode, metadata };
}

const isOutput = (value: unknown): value is Output =>
  typeof value === "string" || value instanceof Uint8Array;

const FIELDS = ["success", "output", "errorOutput", "exitCode", "metadata"] as const;

function findProblem(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return "it is not an object";
  const [success, output, errorOutput, exitCode, metadata] = FIELDS.map((name): unknown =>
    Reflect.get(value, name),
  );
  if (!Number.isInteger(exitCode) || Number(exitCode) < 0 || Number(exitCode) > 255)
    return "`exitCode` is not a whole number from 0 to 255";
  if (success !== (exitCode === 0)) return "`success` does not agree with `exitCode`";
  if (!isOutput(output)) return "`output` is neither text nor bytes";
  if (errorOutput !== null && !isOutput(errorOutput))
    return "`errorOutput` is neither text, bytes nor null";
  if (metadata !== null && (typeof metadata !== "object" || Array.isArray(metadata)))
    return "`metadata` is neither an object nor null";
  return null;
}

/** Users' code is outside: what `run` returned counts only after this. */
export function checkResult(name: string, value: unknown): CommandResult {
  assertResult(name, value);
  return value;
}

function assertResult(name: string, value: unknown): asserts value is CommandResult {
  const problem = findProblem(value);
  if (problem === null) return;
  throw fault("ResultInvalid", { name, problem }, { hint: "build it with `ok(…)` or `fail(…)`" });
}
