// A rule in words and as data. What a rule hands to its handler (`env`, headers) may be secret and is only named.
import { relative } from "node:path";
import { formatWhere } from "../../command/fault.ts";
import { joinWords } from "../../command/words.ts";
import type { HookRule, RuleMatch, RuleRun } from "../../hooks/rule.ts";
import { STEP_RULES, type StepName } from "../../hooks/step.ts";

/** The file as seen from the project, where it is inside. */
export function whereOf({ file, line }: Pick<HookRule, "file" | "line">, root: string): string {
  const inside = relative(root, file);
  return formatWhere({ file: inside.startsWith("..") ? file : inside, line });
}

export function describeMatch(match: RuleMatch): string {
  const fields = Object.entries(match).map(
    ([field, wanted]: [string, readonly string[]]) => `${field} ${wanted.join(" or ")}`,
  );
  return fields.length === 0 ? "always" : fields.join(", ");
}

export function describeRun(run: RuleRun): string {
  switch (run.type) {
    case "argv":
      return joinWords(run.argv);
    case "shell":
      return `${typeof run.shell === "string" ? run.shell : run.shell.program}: ${run.command.trim()}`;
    case "http":
      return run.url;
    case "builtin":
      return `builtin ${run.builtin}`;
  }
}

export const onErrorOf = ({ onError, isAsync }: HookRule, step: StepName): string =>
  isAsync ? "skip" : (onError ?? STEP_RULES[step].onError);

export const describeManners = (rule: HookRule): string =>
  [
    ...(rule.isEnabled ? [] : ["off"]),
    ...(rule.isAsync ? ["async"] : []),
    ...(rule.isOnce ? ["once"] : []),
    ...(rule.isStrict ? ["strict"] : []),
    ...(rule.protocol === "adjutant" ? [] : [`protocol ${rule.protocol}`]),
  ].join(", ");

export function ruleFacts(rule: HookRule, step: StepName) {
  const { name, layer, file, line, column, match, timeoutMs, env } = rule;
  return {
    ...{ name, layer, file, line, column, match, timeoutMs },
    run: runFacts(rule.run),
    on_error: onErrorOf(rule, step),
    enabled: rule.isEnabled,
    async: rule.isAsync,
    once: rule.isOnce,
    strict: rule.isStrict,
    protocol: rule.protocol,
    env: Object.keys(env),
  };
}

const runFacts = (run: RuleRun) =>
  run.type === "http" ? { ...run, headers: Object.keys(run.headers) } : run;
