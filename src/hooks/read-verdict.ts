// What a handler answered, checked by hand: it is on the path of every step, where no schema library is loaded.
import { type ChangeField, STEP_RULES, type StepName, type StepRule } from "./step.ts";
import {
  CONTROLS,
  type Control,
  PERMISSIONS,
  type Permission,
  type StepResult,
  type Verdict,
  type VerdictReading,
} from "./verdict.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The whole of it counts or nothing: an unknown field, a wrong type or a misplaced control is invalid. */
export function readVerdict(step: StepName, value: unknown): VerdictReading {
  if (!isFields(value)) return invalid("a verdict must be a JSON object");
  const rule = STEP_RULES[step];
  for (const [name, field] of Object.entries(value)) {
    const problem = findProblem(step, rule, { name, field });
    if (problem !== null) return invalid(problem);
  }
  return { kind: "verdict", verdict: toVerdict(value) };
}

const invalid = (problem: string): VerdictReading => ({ kind: "invalid", problem });

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Given {
  readonly name: string;
  readonly field: unknown;
}

function findProblem(step: StepName, rule: StepRule, { name, field }: Given): string | null {
  if (name === "control") return controlProblem(step, rule, field);
  const check = CHECKS.get(name);
  if (check === undefined) return `unknown field \`${name}\``;
  // Context has its place in every verdict; where a step cannot use it, it is left out.
  const isAlways = name === "reason" || name === "additional_context";
  if (!isAlways && !rule.changes.some((change) => change === name))
    return `\`${name}\` cannot be changed at \`${step}\``;
  return check(field) ? null : `\`${name}\` must be ${EXPECTED[name]}`;
}

function controlProblem(step: StepName, rule: StepRule, field: unknown): string | null {
  const control = CONTROLS.find((known) => known === field);
  if (control === undefined) return `\`control\` must be one of ${list(CONTROLS)}`;
  if (acceptedControls(rule).includes(control)) return null;
  return `\`${control}\` is no control of \`${step}\`, which accepts ${list(acceptedControls(rule))}`;
}

function acceptedControls({ canVeto, vetoWord }: StepRule): Control[] {
  const veto: Control[] = canVeto ? ["veto"] : [];
  return ["proceed", ...veto, ...(vetoWord === null ? [] : [vetoWord])];
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");

const isText = (value: unknown): value is string => typeof value === "string";

const isPermission = (value: unknown): value is Permission =>
  PERMISSIONS.some((known) => known === value);

const isContext = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(isText);

function isResult(value: unknown): value is string | StepResult {
  if (isText(value)) return true;
  if (!isFields(value)) return false;
  const { output, error_output, exit_code, ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    isText(output) &&
    (error_output === undefined || isText(error_output)) &&
    (exit_code === undefined || isExitCode(exit_code))
  );
}

const isExitCode = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255;

const CHECKS: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  ChangeField | "reason",
  (value: unknown) => boolean
>([
  ["reason", isText],
  ["additional_context", isContext],
  ["prompt", isText],
  ["args", isFields],
  ["result", isResult],
  ["permission", isPermission],
  ["output", isText],
]);

const EXPECTED: Readonly<Record<string, string>> = {
  reason: "text",
  additional_context: "a list of texts",
  prompt: "text",
  args: "an object",
  result: "text, or an object of `output`, `error_output` and `exit_code`",
  permission: `one of ${list(PERMISSIONS)}`,
  output: "text",
};

function toVerdict(fields: Fields): Verdict {
  const { control, reason, additional_context, prompt, args, result, permission, output } = fields;
  const known = CONTROLS.find((word) => word === control);
  return {
    ...(known === undefined ? {} : { control: known }),
    ...(isText(reason) ? { reason } : {}),
    ...(isContext(additional_context) ? { additional_context } : {}),
    ...(isText(prompt) ? { prompt } : {}),
    ...(isFields(args) ? { args } : {}),
    ...(isResult(result) ? { result: isText(result) ? { output: result } : result } : {}),
    ...(isPermission(permission) ? { permission } : {}),
    ...(isText(output) ? { output } : {}),
  };
}
