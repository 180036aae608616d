import { analyzeLine } from "./analyze-line.ts";

/** The command words anywhere in the line that pass the test, in order, each once. */
export function mentionedCommands(line: string, isWanted: (word: string) => boolean): string[] {
  const found = new Set<string>();
  for (const { words, form } of analyzeLine(line).commands) {
    const name = words[0]?.text;
    if (name !== undefined && form !== "base-name" && isWanted(name)) found.add(name);
  }
  return [...found];
}
