// What the logs of one agent's runs contain, as a section of docs/agents.md.
import type { RunLog } from "../../../src/agents/log/run-log.ts";
import type { Row } from "../run-log/expectation.ts";
import { writeTable } from "./page-parts.ts";

export interface ShownRun {
  readonly row: Row;
  readonly log: RunLog;
}

const HEAD = [
  ...["run", "status", "exit", "errors", "tools", "files"],
  ...["tokens in", "out", "cache read", "write", "thinking"],
  ...["cost, $", "turns", "stop reason", "session"],
];

const UNKNOWN = "–";

export function writeRunSection(title: string, runs: readonly ShownRun[]): string {
  const rows = runs.map(({ row, log }) => [row[0], ...describeRun(row, log)]);
  const models = new Set(runs.map(({ log }) => describeModel(log.model_info)));
  return `### ${title}\n\n${[...models].join("\n")}\n\n${writeTable(HEAD, rows)}\n`;
}

const SOURCES = { output: "from the output", config: "from the configuration", unknown: "" };

function describeModel({ name, provider, source }: RunLog["model_info"]): string {
  if (name === null) return "Neither the model nor its provider is in the output.";
  return `Model \`${name}\`, ${SOURCES[source]}; provider \`${provider ?? "unknown"}\`.`;
}

/** What differs from run to run is shown as what may be expected of it. */
function describeRun(row: Row, log: RunLog): string[] {
  const [, , , , usage, cost, , stopReason, session] = row;
  const { execution, usage: tokens } = log;
  const figures = [
    ...[tokens.input_tokens, tokens.output_tokens, tokens.cache_read_tokens],
    ...[tokens.cache_write_tokens, tokens.reasoning_tokens],
  ];
  return [
    execution.status,
    String(execution.exit_code ?? execution.signal),
    list(log.errors.map(({ code }) => `\`${code}\``)),
    list(log.tool_calls.map(describeCall)),
    list(log.files_changed),
    ...figures.map((figure) => (usage === "begun" ? "some" : show(figure))),
    cost === "begun" ? "some" : show(log.cost?.usd),
    show(log.turns),
    Array.isArray(stopReason) ? list(stopReason, " or ") : show(log.stop_reason),
    session === "maybe" ? "maybe" : log.session.id === null ? UNKNOWN : "yes",
  ];
}

const describeCall = ({ name, kind, is_error }: RunLog["tool_calls"][number]): string =>
  `\`${name}\` (${kind}) ${is_error === undefined ? "?" : is_error ? "failed" : "ok"}`;

const show = (value: string | number | null | undefined): string => String(value ?? UNKNOWN);

const list = (texts: readonly string[], between = ", "): string => texts.join(between);
