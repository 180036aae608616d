// `protocol: claude-code`: the handler is told what Claude Code would tell it, and answers as it would there.
import type { Envelope } from "../envelope.ts";
import type { StepName } from "../step.ts";
import type { HandlerOutcome } from "./handler-outcome.ts";

export async function writeForeignPayload(
  envelope: Envelope,
): Promise<Readonly<Record<string, unknown>>> {
  const { toClaudePayload } = await import("../agents/claude-code/foreign-payload.ts");
  const payload = toClaudePayload(envelope);
  if (envelope.agent !== "claude-code") return payload;
  // Claude Code's own payload, with what handlers before this one made of it.
  const { args, prompt } = envelope;
  return {
    ...payload,
    ...(args === undefined ? {} : { tool_input: args }),
    ...(prompt === undefined ? {} : { prompt }),
  };
}

interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export async function readForeignAnswer(step: StepName, output: Output): Promise<HandlerOutcome> {
  const { fromClaudeAnswer } = await import("../agents/claude-code/foreign-answer.ts");
  const answer = fromClaudeAnswer(step, output);
  const told = output.stderr.trim();
  const stderr = told === "" || output.exitCode !== 0 ? null : told;
  switch (answer.kind) {
    case "verdict":
      return { kind: "verdict", verdict: answer.verdict, stderr };
    case "none":
      return { kind: "none", diagnostic: null, stderr };
    case "invalid":
      return { kind: "error", problem: `its answer is invalid: ${answer.problem}` };
    case "error":
      return { kind: "error", problem: answer.problem };
  }
}
