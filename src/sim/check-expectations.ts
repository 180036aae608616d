// Whether the agent sent what the scenario expects. Pure: recorded requests in, a report out.
import { checkOrder } from "./check-order.ts";
import { checkRequests } from "./check-requests.ts";
import type { Expectation } from "./expectation.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Scenario } from "./scenario.ts";

export interface CheckedExpectation {
  /** The line in words: `request 2: tool result contains "hello"`. */
  readonly line: string;
  readonly holds: boolean;
  /** What was there instead, where it does not hold. */
  readonly found: string | null;
}

export interface SimReport {
  readonly holds: boolean;
  readonly checks: readonly CheckedExpectation[];
  /** Requests the scenario could not answer as scripted. */
  readonly problems: readonly string[];
  readonly requestCount: number;
  readonly turnCount: number;
}

export function checkExpectations(
  scenario: Scenario,
  requests: readonly RecordedRequest[],
  exitCode: number | null,
): SimReport {
  const turns = requests.filter(({ kind }) => kind === "turn");
  const checks = (scenario.expect ?? []).map((line) => checkLine(line, turns, exitCode));
  const problems = requests.flatMap(({ number, problem }) =>
    problem === null ? [] : [`request ${number}: ${problem}`],
  );
  return {
    holds: problems.length === 0 && checks.every(({ holds }) => holds),
    checks,
    problems,
    requestCount: requests.length,
    turnCount: turns.length,
  };
}

function checkLine(
  line: Expectation,
  turns: readonly RecordedRequest[],
  exitCode: number | null,
): CheckedExpectation {
  if (line.requests !== undefined) return checkCount(line.requests, turns.length);
  if (line.order !== undefined) return checkOrderLine(line.order, turns);
  if (line.exit_code !== undefined) return checkExitCode(line.exit_code, exitCode);
  const { line: words, holds, found } = checkRequests(line, turns);
  return check(words, holds, found);
}

const check = (line: string, holds: boolean, found: string): CheckedExpectation => ({
  line,
  holds,
  found: holds ? null : found,
});

function checkCount(
  wanted: NonNullable<Expectation["requests"]>,
  count: number,
): CheckedExpectation {
  if (typeof wanted === "number") return check(`requests: ${wanted}`, count === wanted, `${count}`);
  const { at_least = 0, at_most = Number.POSITIVE_INFINITY } = wanted;
  const bounds = [
    ...(wanted.at_least === undefined ? [] : [`at least ${at_least}`]),
    ...(wanted.at_most === undefined ? [] : [`at most ${at_most}`]),
  ];
  const holds = count >= at_least && count <= at_most;
  return check(`requests: ${bounds.join(", ")}`, holds, `${count}`);
}

function checkExitCode(
  wanted: NonNullable<Expectation["exit_code"]>,
  exitCode: number | null,
): CheckedExpectation {
  const holds = wanted === "nonzero" ? exitCode !== null && exitCode !== 0 : exitCode === wanted;
  return check(`exit code: ${wanted}`, holds, exitCode === null ? "none" : `${exitCode}`);
}

function checkOrderLine(
  texts: readonly string[],
  turns: readonly RecordedRequest[],
): CheckedExpectation {
  const result = checkOrder(texts, turns);
  const found =
    result.kind === "missing"
      ? `${JSON.stringify(result.text)} never came`
      : result.kind === "too_early"
        ? `${JSON.stringify(result.text)} came before ${JSON.stringify(result.before)}`
        : "";
  const line = `order: ${texts.map((text) => JSON.stringify(text)).join(", ")}`;
  return check(line, result.kind === "kept", found);
}
