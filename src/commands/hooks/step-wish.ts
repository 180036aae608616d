// Which step of which agent is meant, and its payload.
import { resolve } from "node:path";
import { isRecord } from "../../agents/json-fields.ts";
import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import { misuse } from "../../command/misuse.ts";
import { readText } from "../../config/read-text.ts";
import type { HookAgent } from "../../hooks/agents/hook-agent.ts";
import { requireHookAgent } from "../../hooks/agents/roster.ts";
import type { NativePayload } from "../../hooks/envelope.ts";
import { requireInstaller } from "../../hooks/install/roster.ts";
import { STEPS, type StepName } from "../../hooks/step.ts";
import { newId } from "../../new-id.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { makePayload } from "./native-payload.ts";
import { makeToolCall } from "./tool-call.ts";

const DEFAULT_AGENT = "claude-code";

export function pickAgent({ agent = DEFAULT_AGENT }: Pick<HooksArguments, "agent">): HookAgent {
  return requireHookAgent(requireInstaller(agent).agent);
}

const OF_TOOLS: ReadonlySet<StepName> = new Set(["before_tool", "after_tool", "before_permission"]);

/** As the agent would write it. */
export function buildPayload(
  agent: HookAgent,
  args: HooksArguments,
  { workingDirectory: cwd }: Pick<CommandContext, "workingDirectory">,
): NativePayload {
  const { step = "before_tool", prompt = "hello", output = "" } = args;
  const payload = makePayload(agent, {
    ...{ step, cwd, prompt, output },
    session: newSession(),
    time: new Date(),
    call: OF_TOOLS.has(step) ? makeToolCall(agent.name, args, cwd) : null,
  });
  if (payload !== null) return payload;
  const known = STEPS.filter((one) => agent.abilities.steps[one] !== undefined);
  throw fault(
    "InputInvalid",
    { what: `\`${agent.name}\``, problem: `it has no event for \`${step}\`` },
    { hint: `it has ${known.map((one) => `\`${one}\``).join(", ")}` },
  );
}

/** Saved text in a session of its own: what a running one remembers is not for a test to change. */
export async function readPayload(
  { payload = "-", step, tool, command, path, args, prompt, output }: HooksArguments,
  context: CommandContext,
): Promise<string> {
  const given = { step, tool, command, path, args, prompt, output };
  const other = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (other !== undefined)
    throw misuse(
      "hooks",
      other === "step"
        ? "a payload names its step itself"
        : `\`--payload\` and \`--${other}\` exclude each other`,
    );
  return renameSession(await readSource(payload, context));
}

async function readSource(file: string, context: CommandContext): Promise<string> {
  if (file === "-") return Buffer.from(await context.readInput()).toString("utf8");
  const text = readText(resolve(context.workingDirectory, file), file);
  if (text !== null) return text;
  throw fault("InputInvalid", { what: `\`${file}\``, problem: "there is no such file" });
}

const newSession = (): string => `adj-hooks-test-${newId()}`;

/** What is no JSON is handed on as it is: an agent's hook has to take that, too. */
function renameSession(text: string): string {
  const payload = parseJson(text);
  if (!isRecord(payload)) return text;
  const names = ["session_id", "sessionId"].filter((key) => Object.hasOwn(payload, key));
  const session = newSession();
  return JSON.stringify({ ...payload, ...Object.fromEntries(names.map((key) => [key, session])) });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
