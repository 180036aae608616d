// Whether Codex has trusted the hooks that are installed: it alone knows, and it skips the others silently (0.166).
import { runProcess } from "../../core/process/run.ts";
import { isRecord, parseJsonObject } from "../../core/project/json-value.ts";
import type { AskHookTrust } from "../agent.ts";

const LIMIT_MS = 10_000;

const REQUESTS = (cwd: string): string =>
  [
    { id: 1, method: "initialize", params: { clientInfo: { name: "adj", version: "1" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [cwd] } },
  ]
    .map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
    .join("");

export const askCodexHookTrust: AskHookTrust = async ({ program, root, env, signal }) => {
  const done = new AbortController();
  let answer: unknown = null;
  let text = "";
  // The server goes on until its input ends, so it is stopped as soon as it has answered.
  await runProcess(
    { executable: program, args: ["app-server"], env, cwd: root },
    {
      stdin: keptOpen(REQUESTS(root), done.signal),
      timeoutMs: LIMIT_MS,
      signal: AbortSignal.any([signal, done.signal]),
      onChunk: (channel, bytes) => {
        if (channel !== "stdout") return;
        text += Buffer.from(bytes).toString("utf8");
        answer = findAnswer(text) ?? answer;
        if (answer !== null) done.abort();
      },
    },
  );
  return answer === null ? null : readHooks(answer);
};

async function* keptOpen(text: string, until: AbortSignal): AsyncGenerator<string> {
  yield text;
  if (!until.aborted) await new Promise((resolve) => until.addEventListener("abort", resolve));
}

function findAnswer(text: string): unknown {
  for (const line of text.split("\n")) {
    const message = parseJsonObject(line);
    if (message?.id === 2) return message.result ?? {};
  }
  return null;
}

function readHooks(answer: unknown): { command: string; trust: string }[] {
  const data = isRecord(answer) && Array.isArray(answer.data) ? answer.data : [];
  return data
    .flatMap((one) => (isRecord(one) && Array.isArray(one.hooks) ? one.hooks : []))
    .filter(isRecord)
    .map(({ command, trustStatus, enabled }) => ({
      command: String(command),
      trust: enabled === false ? "disabled" : String(trustStatus),
    }));
}
