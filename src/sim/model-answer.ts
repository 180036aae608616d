/** All five always known; caches are part of input, reasoning is part of output. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export interface AnswerToolCall {
  readonly id: string;
  readonly name: string;
  /** A text for a tool that takes free text, else an object. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** What the scripted model says, before it is put into a wire format. */
export interface ModelAnswer {
  /** Unique per answer: Claude Code drops a second message with an id it has seen. */
  readonly id: string;
  readonly model: string;
  readonly thinking: string | null;
  readonly text: string | null;
  readonly toolCalls: readonly AnswerToolCall[];
  readonly usage: Usage;
}

/** Pieces as a model streams them: small, but never so many that a long text becomes slow. */
export function splitText(text: string): string[] {
  const size = Math.max(8, Math.ceil(text.length / 64));
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size)
    pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}
