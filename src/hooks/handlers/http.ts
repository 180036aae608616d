// A handler that is asked over HTTP: the same envelope, the same verdict.

import type { IncomingMessage } from "node:http";
import { readAtMost } from "../../core/process/read-stream.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import { type HookRule, isAllowedUrl, type RuleRun } from "../match/rule.ts";
import {
  type HandlerOutcome,
  readAnswer,
  readForeignAnswer,
  writeForeignPayload,
} from "./protocol.ts";
import type { HandlerContext } from "./run.ts";

type HttpRun = Extract<RuleRun, { type: "http" }>;
type HttpRule = HookRule & { readonly run: HttpRun };

const MAX_BYTES = 1024 * 1024;

export async function runHttpHandler(
  rule: HttpRule,
  { envelope }: StepSubject,
  context: HandlerContext,
): Promise<HandlerOutcome> {
  const headers = fillHeaders(rule, context.env);
  if ("problem" in headers) return { kind: "error", problem: headers.problem };
  if (!isAllowedUrl(rule.run.url))
    return { kind: "error", problem: `\`${rule.run.url}\` may not be asked` };
  const isForeign = rule.protocol === "claude-code";
  const payload = isForeign ? await writeForeignPayload(envelope) : envelope;
  const asked = { url: rule.run.url, headers: headers.filled, body: JSON.stringify(payload) };
  const answer = await ask(asked, context);
  if (answer.kind !== "answered") return answer;
  if (isForeign)
    return readForeignAnswer(envelope, { stdout: answer.text, stderr: "", exitCode: 0 });
  const { step } = envelope;
  return readAnswer({ step, text: answer.text, stderr: null, isStrict: rule.isStrict });
}

type Headers = { readonly filled: Readonly<Record<string, string>> } | { readonly problem: string };

/** A reference to what is not set is an error: a guard asked without its password decides nothing. */
function fillHeaders({ run, env: own }: HttpRule, env: HandlerContext["env"]): Headers {
  const missing: string[] = [];
  const fill = (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = own[name] ?? env[name];
      if (value === undefined) missing.push(name);
      return value ?? "";
    });
  const filled = Object.fromEntries(
    Object.entries(run.headers).map(([name, value]) => [name, fill(value)]),
  );
  const [name] = missing;
  return name === undefined
    ? { filled }
    : { problem: `its header needs \`${name}\`, which is not set` };
}

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Answer =
  | { readonly kind: "answered"; readonly text: string }
  | Extract<HandlerOutcome, { kind: "error" | "cancelled" }>;

async function ask({ url, headers, body }: Asked, context: HandlerContext): Promise<Answer> {
  const { signal, timeoutMs } = context;
  const { request } = url.startsWith("https:")
    ? await import("node:https")
    : await import("node:http");
  const limit = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const within = AbortSignal.any([signal, limit]);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        signal: within,
        agent: false,
      } as const;
      request(url, options, resolve).on("error", reject).end(body);
    });
    return await readResponse(response);
  } catch (error) {
    if (signal.aborted) return { kind: "cancelled" };
    if (limit.aborted)
      return { kind: "error", problem: `it did not answer within ${Math.ceil(timeoutMs)} ms` };
    if (!(error instanceof Error)) throw error;
    return { kind: "error", problem: `it could not be asked: ${error.message}` };
  }
}

async function readResponse(response: IncomingMessage): Promise<Answer> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    response.destroy();
    const word =
      status >= 300 && status <= 399 ? "a redirection, which is not followed" : "an error";
    return { kind: "error", problem: `it answered ${status}, ${word}` };
  }
  const bytes = await readAtMost(response, MAX_BYTES);
  if (bytes === null) return { kind: "error", problem: "it answered with more than 1 MB" };
  return { kind: "answered", text: bytes.toString() };
}
