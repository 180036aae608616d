// A run as workflow commands of GitHub, which shows them beside the suite.
import { missedLines } from "./figures.ts";
import { groupNotPassed, type RunReport } from "./report.ts";

/**
 * Workflow commands of GitHub: a line for each bar that was missed, and for each reason not to pass. Ten of
 * a kind are all it shows, so repetitions share one.
 */
export function githubAnnotations(report: RunReport): string {
  const { results, run } = report;
  const bars = missedLines(report).map((line) => annotate("error", run.suiteFile, line));
  const reasons = groupNotPassed(results).map(({ caseId, agentId, ending, reason, times }) => {
    const what = `${caseId}/${agentId} ${ending}${times === 1 ? "" : ` ${times} times`}`;
    return annotate("warning", run.suiteFile, reason === "" ? what : `${what}: ${reason}`);
  });
  return [...bars, ...reasons].join("\n");
}

/** A line break, or a percent sign, would end the command and begin another; the log obeys colours. */
const escapeText = (text: string): string =>
  text
    .replaceAll("%", "%25")
    .replaceAll("\r", "%0D")
    .replaceAll("\n", "%0A")
    .replaceAll(/\p{Cc}/gu, " ");

const escapeProperty = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const annotate = (kind: "error" | "warning", file: string, message: string): string =>
  `::${kind} file=${escapeProperty(file)}::${escapeText(message)}`;
