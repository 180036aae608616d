// A person who types a virtual command alone as the prompt gets its answer without any model.
import type { VirtualNote } from "../hook-call.ts";
import { type FoundLine, jobOf, readLine } from "./answer-line.ts";
import { cutStreams } from "./replay.ts";
import type { Streams } from "./replay-line.ts";
import type { PrefixedText, VirtualParts, VirtualStep } from "./virtual-step.ts";

export interface AnsweredPrompt {
  readonly output: string;
  readonly exitCode: number;
  readonly note: VirtualNote;
}

/** Null for a prompt that is not one virtual command and nothing else. */
export async function answerPrompt(
  parts: VirtualParts,
  step: VirtualStep,
  { text, prefix }: PrefixedText,
): Promise<AnsweredPrompt | null> {
  const { place } = step;
  const line = text.trim();
  if (!line.startsWith(prefix)) return null;
  const { words, names } = await readLine(line, prefix);
  const [name] = names;
  if (words === null || name === undefined) return null;
  const command = await (await parts.openDesk(place)).find(name);
  if (command === null) return null;
  // Below Adjutant's own agents it is no person who types.
  const isPerson = (place.env.ADJ_DEPTH ?? "") === "";
  if (!isPerson && (command === "broken" || command.safety !== "read_only")) return null;
  const found: FoundLine = { prefix, line, name, words: words.slice(1), names };
  const streams = await parts.runVirtual(jobOf(step, found), step.signal);
  const { exitCode } = streams;
  const note = { command: name, how: "prompt", exitCode } as const;
  return { output: textOf(cutStreams(streams, place.paths.stateDir)), exitCode, note };
}

function textOf({ stdout, stderr }: Streams): string {
  const decoder = new TextDecoder();
  const texts = [decoder.decode(stdout), decoder.decode(stderr)].filter((text) => text !== "");
  return texts.join(texts[0]?.endsWith("\n") ? "" : "\n").trimEnd();
}
