import type { Expectation } from "./expectation.ts";
import { joinTexts, type ModelRequest } from "./model-request.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { TextMatcher } from "./scenario-value.ts";
import { describeMatcher, matchesText } from "./text-matcher.ts";

/** One condition on one request. */
interface Probe {
  readonly words: string;
  readonly holds: (recorded: RecordedRequest) => boolean;
}

export interface RequestsResult {
  readonly line: string;
  readonly holds: boolean;
  readonly found: string;
}

/** All conditions of a line are about the same request. */
export function checkRequests(
  line: Expectation,
  turns: readonly RecordedRequest[],
): RequestsResult {
  const probes = listProbes(line);
  const choice = line.request ?? "any";
  const fits = turns.map((turn) => probes.every((probe) => probe.holds(turn)));
  const words = `request ${choice}: ${probes.map((probe) => probe.words).join(" and ")}`;
  return { line: words, ...decide(choice, fits) };
}

function decide(
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
  text: (request) => `${request.system}\n${joinTexts(request.messages)}`,
  system: (request) => request.system,
  user: (request) => joinTexts(request.messages.filter(({ role }) => role === "user")),
  tool_result: (request) => joinTexts(request.messages.filter(({ role }) => role === "tool")),
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
