import type { TrialResult } from "../trial.ts";
import type { RunReport } from "./run-report.ts";

/** A suite per agent, a test case per trial: what could not run is an error, what did not pass a failure. */
export function junitReport({ summary, results }: RunReport): string {
  const suites = summary.agents.map(({ agentId }) => {
    const own = results.filter((result) => result.agentId === agentId);
    const counts = {
      name: agentId,
      tests: own.length,
      failures: own.filter((result) => outcomeOf(result) === "failure").length,
      errors: own.filter((result) => outcomeOf(result) === "error").length,
      time: own.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1_000,
    };
    return `  <testsuite${attributes(counts)}>\n${own.map(testCase).join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

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
  return `    <testcase${attributes(named)}><${outcome}${what}/></testcase>\n`;
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeText(String(value))}"`)
    .join("");

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

/** XML 1.0 has no place for most control characters at all. */
const escapeText = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character);
