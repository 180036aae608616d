// `protocol: claude-code`: the handler is told what Claude Code would tell it, and answers as it would there.
import type { Envelope } from "../envelope.ts";
import type { Verdict } from "../verdict.ts";
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

export async function readForeignAnswer(
  envelope: Envelope,
  output: Output,
): Promise<HandlerOutcome> {
  const { fromClaudeAnswer } = await import("../agents/claude-code/foreign-answer.ts");
  const answer = fromClaudeAnswer(envelope.step, output);
  const told = output.stderr.trim();
  const stderr = told === "" || output.exitCode !== 0 ? null : told;
  switch (answer.kind) {
    case "verdict":
      return { kind: "verdict", verdict: await nameArguments(envelope, answer.verdict), stderr };
    case "none":
      return { kind: "none", diagnostic: null, stderr };
    case "invalid":
      return { kind: "error", problem: `its answer is invalid: ${answer.problem}` };
    case "error":
      return { kind: "error", problem: answer.problem };
  }
}

/** The script rewrote Claude Code's arguments; the agent knows them by its own names. */
async function nameArguments(envelope: Envelope, verdict: Verdict): Promise<Verdict> {
  if (verdict.args === undefined) return verdict;
  const { fromClaudeArguments } = await import("../agents/claude-code/foreign-payload.ts");
  return { ...verdict, args: fromClaudeArguments(envelope, verdict.args) };
}
