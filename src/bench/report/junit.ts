// A run as JUnit XML, for programs that collect the results of tests.
import type { Evaluation, TrialResult } from "../suite/trial.ts";
import type { RunReport } from "./report.ts";

/** A suite per agent, a test case per trial: what could not run is an error, what did not pass a failure. */
export function junitReport({ run, summary, results }: RunReport): string {
  const byAgent = Map.groupBy(results, ({ agentId }) => agentId);
  const suites = summary.agents.map(({ agentId }) => {
    const own = byAgent.get(agentId) ?? [];
    return `  <testsuite${attributes(countsOf(agentId, own))}>\n${own.map(testCase).join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(countsOf(run.suite, results))}>\n${suites.join("")}</testsuites>\n`;
}

const countsOf = (name: string, results: readonly TrialResult[]) => ({
  name,
  tests: results.length,
  failures: results.filter((result) => outcomeOf(result) === "failure").length,
  errors: results.filter((result) => outcomeOf(result) === "error").length,
  time: results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000,
});

function outcomeOf({ ending }: TrialResult): "passed" | "failure" | "error" {
  if (ending === "passed") return "passed";
  return ending === "infra" || ending === "cancelled" ? "error" : "failure";
}

function testCase(result: TrialResult): string {
  const { caseId, agentId, repetition, durationMs, ending, reason } = result;
  const named = { name: `${caseId} #${repetition}`, classname: agentId, time: durationMs / 1_000 };
  const outcome = outcomeOf(result);
  if (outcome === "passed") return `    <testcase${attributes(named)}/>\n`;
  const what = attributes({ type: ending, message: reason ?? ending });
  const grades = escapeText(result.evaluations.map(describeGrade).join("\n"));
  return `    <testcase${attributes(named)}><${outcome}${what}>${grades}</${outcome}></testcase>\n`;
}

const describeGrade = ({ id, status, message }: Evaluation): string =>
  `${id} ${status}${message === "" ? "" : `: ${message}`}`;

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeText(String(value))}"`)
    .join("");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** XML 1.0 has no place for most control characters at all. */
const escapeText = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character] ?? character);
