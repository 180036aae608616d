// How the folder of shims gets onto PATH. The session goes with it, so that `adj` inside means the agent's own.
import { appendFileSync } from "node:fs";
import { quoteWord } from "../../command/words.ts";
import { readIfThere } from "../../config/trust-store.ts";

export interface ShimPath {
  readonly folder: string;
  readonly sessionId: string;
}

/** Holds for all of the line, pipes and lists included, and the exit code stays that of the line. */
export const prefixLine = (line: string, path: ShimPath): string => `${exportPath(path)}; ${line}`;

/** What an agent's environment file gets at session start, once. */
export function appendShimPath(file: string, path: ShimPath): void {
  const line = `${exportPath(path)}\n`;
  if (readIfThere(file)?.includes(line) !== true) appendFileSync(file, line);
}

const exportPath = ({ folder, sessionId }: ShimPath): string =>
  `export PATH=${quoteWord(folder)}:"$PATH" ADJ_SESSION_ID=${quoteWord(sessionId)}`;
