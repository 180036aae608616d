// `adj bench validate`: the suite, each agent's settings, and with --oracle whether the cases can tell good from bad.
import { type CommandResult, fail, ok } from "../../command/result.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { createAgentFinder, describeMissing } from "./locate-agents.ts";
import { consultOracle } from "./oracle.ts";
import { planRun } from "./plan-run.ts";
import { readSuite } from "./read-suite.ts";
import { requireWord } from "./require-word.ts";

const ORACLE_FAILED = 1;

export async function validateSuite(
  args: BenchArguments,
  place: BenchPlace,
): Promise<CommandResult> {
  const suite = await readSuite(requireWord(args, "a suite"), args, place);
  const findAgent = createAgentFinder(place);
  const plans = await planRun({ suite, runId: "validate", findAgent, upload: null }, place);
  const counts = [
    countOf(suite.cases.length, "case"),
    countOf(suite.agents.length, "agent"),
    countOf(plans.length, "trial"),
  ].join(", ");
  const notes = (await describeMissing(suite, findAgent)).map((note) => `note: ${note}`);
  if (!args.oracle)
    return ok([`${suite.name} is valid: ${counts}`, ...notes].join("\n"), { trials: plans.length });
  const findings = await consultOracle(suite, place);
  const wrong = findings.filter(({ verdict }) => verdict === "wrong");
  const lines = findings.map(({ caseId, verdict, problem }) =>
    [verdict, caseId, ...(problem === null ? [] : [problem])].join("  "),
  );
  const output = [`${suite.name}: ${counts}`, ...notes, ...lines].join("\n");
  if (wrong.length === 0) return ok(output, { findings });
  return {
    ...fail(`${countOf(wrong.length, "case")} cannot tell good from bad`, ORACLE_FAILED, {
      findings,
    }),
    output,
  };
}

const countOf = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;
