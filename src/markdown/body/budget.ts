// How large a prompt is, roughly, against what a model takes.
import { fault } from "../../command/fault.ts";

/** About four bytes a token: right within a third for prose and code; for other scripts a little high. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

/**
 * Context of models whose makers publish it, by how their names begin; the first that fits counts.
 * A model that is not here has no known limit, and nothing is refused.
 */
export const KNOWN_CONTEXT: readonly (readonly [prefix: string, tokens: number])[] = [
  ["claude-3", 200_000],
  ["claude-haiku-4", 200_000],
  ["claude-opus-4-0", 200_000],
  ["claude-opus-4-1", 200_000],
  ["claude-opus-4-5", 200_000],
  ["gpt-4.1", 1_047_576],
  ["gpt-4o", 128_000],
  ["gpt-5", 400_000],
  ["o3", 200_000],
  ["o4-mini", 200_000],
  ["gemini-2.0", 1_048_576],
  ["gemini-2.5", 1_048_576],
  ["gemini-3", 1_048_576],
  ["qwen3-coder", 1_000_000],
];

/** Null where it is unknown; `override` is the file's `context_window`. */
export function contextLimit(model: string | null, override: number | null): number | null {
  if (override !== null || model === null) return override;
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (name.endsWith("[1m]")) return 1_000_000;
  return KNOWN_CONTEXT.find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}

export interface Budget {
  readonly tokens: number;
  readonly model: string | null;
  readonly contextWindow: number | null;
}

/** Refuses before anything is spent. */
export function checkBudget({ tokens, model, contextWindow }: Budget): void {
  const limit = contextLimit(model, contextWindow);
  if (limit === null || tokens <= limit) return;
  const whose = contextWindow === null ? `of model \`${model}\`` : "of `context_window`";
  throw fault(
    "InputInvalid",
    { what: "the prompt", problem: `about ${tokens} tokens are more than the ${limit} ${whose}` },
    { hint: "import or pipe in less, or set `context_window` where the model takes more" },
  );
}
