// A plain HTTP client for each wire format, as small as an agent could be.

import { onTestFinished } from "vitest";
import { parseScenario } from "../../src/sim/scenario.ts";
import { type Sim, startSim } from "../../src/sim/server.ts";

/** Serves a scenario given as YAML; it is closed when the test is over. */
export async function serve(yaml: string): Promise<Sim> {
  const sim = await startSim(parseScenario(yaml, "scenario.yaml"));
  onTestFinished(() => sim.close());
  return sim;
}

export interface Ask {
  readonly stream: boolean;
  /** The conversation: user and assistant by turns, beginning with the user. */
  readonly said: readonly string[];
  readonly toolResult?: string;
  readonly tools?: boolean;
}

export interface WireClient {
  readonly name: string;
  path(stream: boolean): string;
  body(ask: Ask): unknown;
  /** The pieces of the answer out of parsed events, or out of the one whole answer. */
  read(parts: readonly unknown[], stream: boolean): Answer;
}

export interface Answer {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly usage: Readonly<Record<string, unknown>>;
}

export async function post(sim: Sim, path: string, body: unknown): Promise<Response> {
  return fetch(`${sim.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "sk-secret-value" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Server-sent events as they came; `event` is empty where none was named. */
export function parseEvents(text: string): { event: string; data: string }[] {
  return text
    .split("\n\n")
    .filter((frame) => frame !== "")
    .map((frame) => ({
      event: /^event: (.*)$/m.exec(frame)?.[1] ?? "",
      data: /^data: (.*)$/m.exec(frame)?.[1] ?? "",
    }));
}

export async function ask(client: WireClient, sim: Sim, question: Ask): Promise<Answer> {
  const response = await post(sim, client.path(question.stream), client.body(question));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  if (!question.stream) return client.read([JSON.parse(text)], false);
  const events = parseEvents(text).filter(({ data }) => data !== "[DONE]");
  return client.read(
    events.map(({ data }) => JSON.parse(data)),
    true,
  );
}
