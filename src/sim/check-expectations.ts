// Whether the agent sent what the scenario expects. Pure: recorded requests in, a report out.
import type { RecordedRequest } from "./recorded-request.ts";
import type { Expectation, Scenario } from "./scenario.ts";
import { describeMatcher, matchesText, type TextMatcher } from "./scenario-value.ts";
import { joinMessageTexts, type ModelRequest } from "./wire.ts";

interface CheckedExpectation {
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
  if (line.order !== undefined) return checkOrder(line.order, turns);
  if (line.exit_code !== undefined) return checkExitCode(line.exit_code, exitCode);
  return checkRequests(line, turns);
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

/** One condition on one request. */
interface Probe {
  readonly words: string;
  readonly holds: (recorded: RecordedRequest) => boolean;
}

/** All conditions of a line are about the same request. */
function checkRequests(line: Expectation, turns: readonly RecordedRequest[]): CheckedExpectation {
  const probes = listProbes(line);
  const choice = line.request ?? "any";
  const fits = turns.map((turn) => probes.every((probe) => probe.holds(turn)));
  const words = `request ${choice}: ${probes.map((probe) => probe.words).join(" and ")}`;
  const { holds, found } = decideRequests(choice, fits);
  return check(words, holds, found);
}

function decideRequests(
  choice: NonNullable<Expectation["request"]>,
  fits: readonly boolean[],
): { holds: boolean; found: string } {
  const where = fits.flatMap((fit, at) => (fit ? [at + 1] : []));
  const found =
    where.length === 0 ? `in none of ${fits.length}` : `in ${where.join(", ")} of ${fits.length}`;
  switch (choice) {
    case "any":
      return { holds: where.length > 0, found };
    case "none":
      return { holds: where.length === 0, found };
    case "every":
      return { holds: fits.length > 0 && where.length === fits.length, found };
    case "last":
      return { holds: fits.at(-1) === true, found };
    default:
      return { holds: fits[choice - 1] === true, found };
  }
}

const TEXTS: Readonly<
  Record<"text" | "system" | "user" | "tool_result", (request: ModelRequest) => string>
> = {
  text: (request) => `${request.system}\n${joinMessageTexts(request.messages)}`,
  system: (request) => request.system,
  user: (request) => joinMessageTexts(request.messages.filter(({ role }) => role === "user")),
  tool_result: (request) =>
    joinMessageTexts(request.messages.filter(({ role }) => role === "tool")),
};

function listProbes(line: Expectation): Probe[] {
  const probes: Probe[] = [];
  for (const field of ["text", "system", "user", "tool_result"] as const) {
    const matcher = line[field];
    if (matcher !== undefined) probes.push(textProbe(field, matcher));
  }
  const { tool_offered, header } = line;
  if (tool_offered !== undefined)
    probes.push({
      words: `tool_offered \`${tool_offered}\``,
      holds: ({ request }) => request?.tools.some(({ name }) => name === tool_offered) ?? false,
    });
  if (header !== undefined) probes.push(headerProbe(header));
  return probes;
}

const textProbe = (field: keyof typeof TEXTS, matcher: TextMatcher): Probe => ({
  words: `${field} ${describeMatcher(matcher)}`,
  holds: ({ request }) => request !== null && matchesText(matcher, TEXTS[field](request)),
});

function headerProbe(header: NonNullable<Expectation["header"]>): Probe {
  const name = (typeof header === "string" ? header : header.name).toLowerCase();
  const value = typeof header === "string" ? null : header.value;
  return {
    words: value === null ? `header \`${name}\`` : `header \`${name}\` ${describeMatcher(value)}`,
    holds: ({ headers }) => {
      const sent = headers[name];
      return sent !== undefined && (value === null || matchesText(value, sent));
    },
  };
}

/** Every request repeats what was said before it, so only the first time a text was sent counts. */
function checkOrder(
  texts: readonly string[],
  turns: readonly RecordedRequest[],
): CheckedExpectation {
  const line = `order: ${texts.map((text) => JSON.stringify(text)).join(", ")}`;
  let last: { text: string; position: RequestPosition } | null = null;
  for (const text of texts) {
    const position = findFirst(text, turns);
    if (position === null) return check(line, false, `${JSON.stringify(text)} never came`);
    if (last !== null && !isBefore(last.position, position))
      return check(line, false, `${JSON.stringify(text)} came before ${JSON.stringify(last.text)}`);
    last = { text, position };
  }
  return check(line, true, "");
}

/** Where a text was first sent: request, message in it, character in that. */
type RequestPosition = readonly [request: number, message: number, at: number];

function findFirst(text: string, requests: readonly RecordedRequest[]): RequestPosition | null {
  for (const [number, { request }] of requests.entries())
    for (const [message, { text: sent }] of (request?.messages ?? []).entries()) {
      const at = sent.indexOf(text);
      if (at >= 0) return [number, message, at];
    }
  return null;
}

function isBefore(first: RequestPosition, second: RequestPosition): boolean {
  for (const [index, value] of first.entries()) {
    const other = second[index] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}
