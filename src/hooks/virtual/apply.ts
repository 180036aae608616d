// What virtual commands make of a decided step. The test for the prefix comes before anything is loaded, and
// nothing that goes wrong here changes what the handlers decided.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownProblem } from "../../core/command/fault.ts";
import { VERSION } from "../../core/command/version.ts";
import { fingerprint } from "../../core/project/fingerprint.ts";
import { readKept, writeKept } from "../../core/project/kept-value.ts";
import { LAYER_FOLDER, pathToFileName } from "../../core/project/paths.ts";
import { DEFAULT_PREFIX } from "../../core/project/settings.ts";
import { trustFolder } from "../../core/project/trust/store.ts";
import type { Envelope } from "../../core/step/envelope.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type {
  PrefixedText,
  VirtualContext,
  VirtualNote,
  VirtualParts,
  VirtualStep,
} from "./virtual-step.ts";

export interface Applied {
  readonly decision: StepDecision;
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
    const { startVirtualSession } = await import("./shims.ts");
    return { decision: await startVirtualSession(parts, step) };
  }
  if (step.envelope.step !== "before_tool") return {};
  const line = step.agent.shellLine(step.envelope);
  // What was handed over as words has no line that another could take the place of.
  const isWritten = Object.values(step.envelope.args ?? {}).includes(line);
  if (line === null || line === "" || !isWritten) return {};
  const { result } = step.decision;
  if (result !== null) return showResult(step, result);
  if (step.isHandlersOnly) return {};
  const found = await findPrefixIn(parts, step, line);
  if (found === null) return {};
  const { answerLine } = await import("./answer.ts");
  const answer = await answerLine(parts, step, found);
  return answer ?? {};
}

/** A handler's answer in place of a shell line is shown like that of a virtual command. */
async function showResult(
  step: VirtualStep,
  { output, error_output = "", exit_code = 0 }: NonNullable<StepDecision["result"]>,
): Promise<Partial<Applied>> {
  const canRewrite = step.agent.abilities.steps.before_tool?.changes.includes("args") ?? false;
  if (!canRewrite || step.decision.permission === "ask") return {};
  const { showStreams } = await import("./answer.ts");
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
  const { answerPrompt } = await import("./answer.ts");
  const answer = await answerPrompt(parts, step, found);
  if (answer === null) return {};
  const promptAnswer = step.agent.writePromptAnswer(answer, prompted);
  return promptAnswer === null ? {} : { promptAnswer, note: answer.note };
}

async function findPrefixIn(
  parts: VirtualParts,
  { context }: VirtualStep,
  text: string,
): Promise<PrefixedText | null> {
  const prefix = await findPrefix(context, async () => (await parts.openCatalog(context)).prefix());
  return text.includes(prefix) ? { text, prefix } : null;
}

// The prefix of virtual commands is known without loading the layers: every shell line of an agent is tested for it.

/** `look` reads the settings themselves, when what is kept does not count any more. */
async function findPrefix(
  { paths: { stateDir, configDir }, root }: Pick<VirtualContext, "paths" | "root">,
  look: () => Promise<string>,
): Promise<string> {
  const userFile = join(configDir, "config.yaml");
  const stamp = fingerprint(userFile);
  if (stamp === null && !existsSync(join(root, LAYER_FOLDER))) return DEFAULT_PREFIX;
  // A project's settings are those of the copy in force, and that one never changes.
  const inForce = join(trustFolder(stateDir, root), "current.json");
  const kept = {
    file: join(stateDir, "virtual", "prefix", pathToFileName(root)),
    key: `${VERSION} ${configDir}`,
  };
  const known = readKept(kept);
  if (typeof known === "string") return known;
  const stamps = { [userFile]: stamp, [inForce]: fingerprint(inForce) };
  const prefix = await look();
  writeKept(kept, stamps, prefix);
  return prefix;
}
