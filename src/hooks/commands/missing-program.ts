// Hooks whose program is not there: they could only fail, at the first step of an agent that meets them.
import { existsSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import type { CommandContext } from "../../core/command/context.ts";
import { formatWhere } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { isInterpreter } from "../../core/shell/interpreters.ts";
import { type ProgramContext, showOwn, specOf } from "../handlers/program.ts";
import type { HookRule } from "../match/rule.ts";
import { isBlockingRule } from "../pipeline/guard-marker.ts";

/** As a step at the root of the project would find them. */
export const hookProgramContext = ({ env }: CommandContext, { root }: Program): ProgramContext => ({
  cwd: root,
  env: env.forChild(),
});

/** A line for each, with what comes of it. */
export async function listMissingPrograms(
  rules: readonly HookRule[],
  context: ProgramContext,
): Promise<string[]> {
  const lines: string[] = [];
  for (const rule of rules.filter(({ isEnabled }) => isEnabled)) {
    const problem = await findMissingProgram(rule, context);
    if (problem === null) continue;
    const isBlocking = rule.on.some((step) => isBlockingRule(rule, step));
    const result = isBlocking ? "every step that it is for is refused" : "it is skipped";
    lines.push(`${formatWhere(rule)}: hook \`${rule.name}\`: ${problem}, so ${result}`);
  }
  return lines;
}

/** Null where all is there, and where no program is run. */
async function findMissingProgram(
  rule: HookRule,
  { cwd, env }: ProgramContext,
): Promise<string | null> {
  const { run } = rule;
  if (run.type !== "argv" && run.type !== "shell") return null;
  const spec = specOf({ ...rule, run }, { cwd, env: { ...env, ...rule.env } });
  if ("problem" in spec) return spec.problem;
  const { executable, args } = spec;
  const search = await findProgram(executable, { path: spec.env.PATH, cwd: spec.cwd });
  if (search.kind === "missing") return `\`${showOwn(rule, executable)}\` was not found`;
  if (search.kind === "not_executable")
    return `\`${showOwn(rule, search.path)}\` is not an executable file`;
  const [script = ""] = isInterpreter(basename(executable)) ? args : [];
  const isThere = !isAbsolute(script) || existsSync(script);
  return isThere ? null : `\`${showOwn(rule, script)}\` was not found`;
}
