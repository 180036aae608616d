// What can go wrong with an agent, in a closed list, and how each one is recognised.

/**
 * The closed list; with an agent's prefix each is an error code.
 *
 * @example
 * const codes = ERROR_REASONS.map((reason) => formatErrorCode("CODEX", reason));
 */
export const ERROR_REASONS = [
  "CLI_NOT_FOUND",
  "AUTH_FAILED",
  "TIMEOUT",
  "RATE_LIMIT",
  "OVERLOADED",
  "NETWORK",
  "OUTPUT_TRUNCATED",
  "INVALID_CONFIG",
  "PARSE_ERROR",
  "CANCELLED",
  "ABORTED",
  "MAX_TURNS",
  "REFUSED",
  "UNKNOWN",
] as const;

export type ErrorReason = (typeof ERROR_REASONS)[number];

/**
 * The code of an error in a log: `CLAUDE_RATE_LIMIT`.
 *
 * @example
 * const code = formatErrorCode("CLAUDE", "RATE_LIMIT");
 */
export const formatErrorCode = (prefix: string, reason: ErrorReason): string =>
  `${prefix}_${reason}`;

export const reasonOfCode = (code: string): ErrorReason =>
  ERROR_REASONS.find((reason) => code.endsWith(`_${reason}`)) ?? "UNKNOWN";

/** What may pass by itself, so that another try is worth it. */
export const isTransient = (reason: ErrorReason): boolean =>
  reason === "RATE_LIMIT" || reason === "OVERLOADED" || reason === "NETWORK";

function reasonOfStatus(status: number): ErrorReason | null {
  if (status === 401 || status === 403) return "AUTH_FAILED";
  if (status === 429) return "RATE_LIMIT";
  return status >= 500 && status < 600 ? "OVERLOADED" : null;
}

// Only numbers that are said to be a status: a port or a line number must not decide.
const STATUS = /(?:status(?:\s+code)?|http|api error|"code"|error)["']?\s*(?:[:=(]\s*)?(\d{3})\b/gi;

const WORDS: readonly (readonly [ErrorReason, RegExp])[] = [
  ["RATE_LIMIT", /rate.?limit|too many requests|quota|resource.?exhausted|usage limit/i],
  ["OVERLOADED", /overloaded|server.?error|service unavailable|high demand|at capacity/i],
  [
    "AUTH_FAILED",
    /unauthori[sz]ed|unauthenticated|authenticat|invalid (?:x-)?api.?key|no api key|api key (?:is )?(?:missing|not (?:found|set|valid))|not logged in|please (?:run )?\/?login|set an auth method|no authentication|_API_KEY\b.*(?:not|must|set|found)|missing api key|missing environment variable:.*(?:_KEY|_TOKEN)\b|(?:specify|provide|set) .*\b\w+_(?:API_KEY|TOKEN)\b/i,
  ],
  [
    "NETWORK",
    /ECONN(?:REFUSED|RESET|ABORTED)|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE|fetch failed|socket|network|connection (?:error|refused|reset|closed|lost)|stream (?:disconnected|closed|ended|error)|unable to connect|premature|terminated|timed? ?out|error (?:decoding response|reading a|sending request)/i,
  ],
  ["MAX_TURNS", /max(?:imum)?[ _-]?(?:session[ _-]?)?turns|budget/i],
  ["REFUSED", /refus(?:al|ed)|usage policy|content.?(?:filter|policy)|safety/i],
  [
    "INVALID_CONFIG",
    /unknown (?:option|argument)|unexpected argument|unrecognized|invalid (?:option|value|command format)|not inside a trusted directory|not found: model|unknown model/i,
  ],
];

interface FailureSigns {
  readonly status?: number | null;
  /** A machine word of the agent, such as `rate_limit`. */
  readonly word?: string | null;
  readonly text?: string | null;
}

/** The reason behind a failure, surest sign first: status, then the agent's word, then its text. */
export function classifyFailure({ status, word, text }: FailureSigns): ErrorReason {
  return (
    (status == null ? null : reasonOfStatus(status)) ??
    findReason(word) ??
    findReason(text) ??
    "UNKNOWN"
  );
}

function findReason(text: string | null | undefined): ErrorReason | null {
  if (!text) return null;
  for (const match of text.matchAll(STATUS)) {
    const reason = reasonOfStatus(Number(match[1]));
    if (reason !== null) return reason;
  }
  return WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
