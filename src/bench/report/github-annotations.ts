import type { RunReport } from "./run-report.ts";

/** Workflow commands of GitHub: a line for each bar that was missed, and for each case that failed. */
export function githubAnnotations({ missed, results, run }: RunReport): string {
  const bars = missed.map(({ agentId, bar }) =>
    annotate("error", run.suiteFile, `${agentId} missed: ${bar}`),
  );
  const trials = results
    .filter(({ ending }) => ending !== "passed")
    .map(({ key, ending, reason }) =>
      annotate("warning", run.suiteFile, `${key} ${ending}${reason === null ? "" : `: ${reason}`}`),
    );
  return [...bars, ...trials].join("\n");
}

/** A line break, or a percent sign, would end the command and begin another. */
const escapeText = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string): string =>
  escapeText(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const annotate = (kind: "error" | "warning", file: string, message: string): string =>
  `::${kind} file=${escapeProperty(file)}::${escapeText(message)}`;
