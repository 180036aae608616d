// What an agent is told of turns that it does not know: when the session changes its agent, or when the agent has
// forgotten a conversation.
import type { Turn } from "../../core/store/turn-row.ts";

interface Handover {
  /** The prompt with what came before it; the prompt alone where nothing did. */
  readonly prompt: string;
  /** Turns that are told, and those that did not fit. */
  readonly included: number;
  readonly leftOut: number;
}

/** About a quarter of the smallest window among today's models, in characters. */
const MAX_TRANSCRIPT_LENGTH = 100_000;
const MAX_TEXT_LENGTH = 20_000;

/** The newest turns count most: older ones are left out where not all fit. */
export function handOver(
  prompt: string,
  earlier: readonly Turn[],
  limit: number = MAX_TRANSCRIPT_LENGTH,
): Handover {
  // What nobody answered is not told: the person would see it carried out late.
  const spoken = earlier.filter(({ answer }) => answer !== null && answer !== "");
  const parts: string[] = [];
  let length = 0;
  for (const turn of spoken.toReversed()) {
    const part = describeTurn(turn);
    if (length + part.length > limit) break;
    length += part.length;
    parts.unshift(part);
  }
  if (parts.length === 0) return { prompt, included: 0, leftOut: spoken.length };
  const leftOut = spoken.length - parts.length;
  const head =
    leftOut === 0
      ? "Earlier in this conversation, without you:"
      : `Earlier in this conversation, without you (${leftOut} turns before that are left out):`;
  const text = [head, ...parts, "The person now says:", prompt].join("\n\n");
  return { prompt: text, included: parts.length, leftOut };
}

const describeTurn = ({ prompt, answer }: Turn): string =>
  `<person>\n${cut(prompt)}\n</person>\n<agent>\n${cut(answer ?? "")}\n</agent>`;

function cut(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return `${text.slice(0, MAX_TEXT_LENGTH)}\n[${text.length - MAX_TEXT_LENGTH} characters left out]`;
}
