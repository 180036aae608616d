/** Bash breaks words at `=`: `--type=x` reaches a completion as three of them. */
export interface RejoinedWords {
  readonly words: readonly string[];
  readonly index: number;
  /** What stands before the piece that bash itself completes. */
  readonly cut: string;
}

/** Puts the pieces together again. */
export function rejoinWords(pieces: readonly string[], cursor: number): RejoinedWords {
  const words: string[] = [];
  let index = 0;
  let cut = "";
  for (const [at, piece] of pieces.entries()) {
    const last = words.at(-1) ?? "";
    const isJoined = piece === "=" ? last.startsWith("--") : /^--[^=]+=$/.test(last);
    if (isJoined) words[words.length - 1] = last + piece;
    else words.push(piece);
    if (at !== cursor) continue;
    index = words.length - 1;
    // With the cursor right behind `=`, bash completes an empty word after it.
    cut = isJoined ? last + (piece === "=" ? "=" : "") : "";
  }
  return { words, index, cut };
}
