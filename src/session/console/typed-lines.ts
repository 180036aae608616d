// Lines as they come in, each taken once, by whoever asks first: a prompt, or the answer to a question.
import { createInterface } from "node:readline";

export interface TypedLines {
  /** The next line; null when there is none any more, or when the signal fires before one came. */
  next(signal: AbortSignal): Promise<string | null>;
  close(): void;
}

type Taker = (line: string | null) => void;

export function readLines(input: NodeJS.ReadableStream): TypedLines {
  const reader = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const waiting: string[] = [];
  const takers = new Set<Taker>();
  let isEnded = false;
  const hand = (line: string | null) => {
    const [taker] = takers;
    if (taker !== undefined) taker(line);
    else if (line !== null) waiting.push(line);
  };
  reader.on("line", hand);
  reader.once("close", () => {
    isEnded = true;
    for (const taker of [...takers]) taker(null);
  });
  return {
    next: (signal) => {
      const line = waiting.shift();
      if (line !== undefined) return Promise.resolve(line);
      if (isEnded || signal.aborted) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const taker: Taker = (taken) => {
        takers.delete(taker);
        signal.removeEventListener("abort", giveUp);
        resolve(taken);
      };
      const giveUp = () => taker(null);
      takers.add(taker);
      signal.addEventListener("abort", giveUp, { once: true });
      return promise;
    },
    close: () => reader.close(),
  };
}
