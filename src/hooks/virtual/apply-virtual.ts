// What virtual commands make of a decided step. The test for the prefix comes before anything is loaded, and
// nothing that goes wrong here changes what the handlers decided.
import type { Decision } from "../decision.ts";
import type { Envelope } from "../envelope.ts";
import type { VirtualNote } from "../hook-call.ts";
import { ownProblem } from "../own-problem.ts";
import { findPrefix } from "./prefix.ts";
import type { PrefixedText, VirtualParts, VirtualStep } from "./virtual-step.ts";

export interface Applied {
  readonly decision: Decision;
  readonly note: VirtualNote | null;
  /** The native answer to a whole prompt. */
  readonly promptAnswer: string | null;
  readonly problems: readonly string[];
}

export async function applyVirtual(
  parts: VirtualParts,
  prompted: Envelope | null,
  step: VirtualStep,
): Promise<Applied> {
  const untouched = { decision: step.decision, note: null, promptAnswer: null, problems: [] };
  if (step.decision.control !== "proceed" || step.decision.permission === "deny") return untouched;
  try {
    const changed =
      prompted === null
        ? await applyToStep(parts, step)
        : await applyToPrompt(parts, prompted, step);
    return { ...untouched, ...changed };
  } catch (error) {
    return { ...untouched, problems: [`virtual commands: ${ownProblem(error)}`] };
  }
}

async function applyToStep(parts: VirtualParts, step: VirtualStep): Promise<Partial<Applied>> {
  if (step.envelope.step === "session_start") {
    const { openSession } = await import("./open-session.ts");
    return { decision: await openSession(parts, step) };
  }
  if (step.envelope.step !== "before_tool") return {};
  const line = step.agent.shellLine(step.envelope);
  if (line === null || line === "") return {};
  const { result } = step.decision;
  if (result !== null) return showResult(step, result);
  const found = await findPrefixIn(parts, step, line);
  if (found === null) return {};
  const { answerLine } = await import("./answer-line.ts");
  const answer = await answerLine(parts, step, found);
  return answer ?? {};
}

/** A handler's answer in place of a shell line is shown like that of a virtual command. */
async function showResult(
  step: VirtualStep,
  { output, error_output = "", exit_code = 0 }: NonNullable<Decision["result"]>,
): Promise<Partial<Applied>> {
  const canRewrite = step.agent.abilities.steps.before_tool?.changes.includes("args") ?? false;
  if (!canRewrite || step.decision.permission === "ask") return {};
  const { showStreams } = await import("./answer-line.ts");
  const streams = {
    stdout: Buffer.from(output),
    stderr: Buffer.from(error_output),
    exitCode: exit_code,
  };
  return { decision: showStreams(step, streams) };
}

async function applyToPrompt(
  parts: VirtualParts,
  prompted: Envelope,
  step: VirtualStep,
): Promise<Partial<Applied>> {
  const prompt = step.decision.prompt ?? prompted.prompt ?? "";
  const found = await findPrefixIn(parts, step, prompt);
  if (found === null) return {};
  const { answerPrompt } = await import("./answer-prompt.ts");
  const answer = await answerPrompt(parts, step, found);
  if (answer === null) return {};
  const promptAnswer = step.agent.writePromptAnswer(answer, prompted);
  return promptAnswer === null ? {} : { promptAnswer, note: answer.note };
}

async function findPrefixIn(
  parts: VirtualParts,
  { place }: VirtualStep,
  text: string,
): Promise<PrefixedText | null> {
  const prefix = await findPrefix(place, async () => (await parts.openDesk(place)).prefix());
  return text.includes(prefix) ? { text, prefix } : null;
}
