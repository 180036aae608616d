// Run as a program: an agent that speaks the protocol by a script, which is its one argument.
import { createInterface } from "node:readline";
import { say, send, update } from "../protocol/acp/agent-messages.ts";

/** One thing after the other, once it was prompted. */
export type Step =
  | readonly ["say", string]
  /** Says what the client offers. */
  | readonly ["offers"]
  | readonly ["update", object]
  /** Asks the client, waits for the answer and says it. */
  | readonly ["ask", method: string, params: object]
  /** Asks so often without reading any answer. */
  | readonly ["pester", times: number]
  | readonly ["await", method: string]
  | readonly ["stop", reason: string | null]
  | readonly ["fail", code: number, message: string]
  | readonly ["exit", code: number];

export interface Script {
  readonly protocol?: number;
  /** What `session/new` answers, beside the id. */
  readonly session?: object;
  /** Said before a session is opened, as by one that is taken up again. */
  readonly past?: readonly string[];
  readonly turn?: readonly Step[];
}

const script: Script = JSON.parse(process.argv[2] ?? "{}");

let offers: unknown;
type Message = Readonly<Record<string, unknown>>;
const awaited = new Map<unknown, (message: Message) => void>();
const receiveOf = (key: unknown) =>
  new Promise<Message>((resolve) => {
    awaited.set(key, resolve);
  });

async function take(step: Step, id: unknown): Promise<unknown> {
  switch (step[0]) {
    case "say":
      return say(step[1]);
    case "offers":
      return say(JSON.stringify(offers));
    case "update":
      return update(step[1]);
    case "ask": {
      send({ id: "asked", method: step[1], params: step[2] });
      const { result, error } = await receiveOf("asked");
      return say(JSON.stringify(error ?? result));
    }
    case "pester":
      return pester(step[1]);
    case "await":
      return receiveOf(step[1]);
    case "stop":
      return send({ id, result: { stopReason: step[1] } });
    case "fail":
      return send({ id, error: { code: step[1], message: step[2] } });
    case "exit":
      return process.exit(step[1]);
  }
}

async function pester(times: number): Promise<void> {
  process.stdin.pause();
  const params = { path: "large.txt" };
  for (let asked = 0; asked < times; asked++)
    if (!send({ id: `p-${asked}`, method: "fs/read_text_file", params }))
      await new Promise((resolve) => process.stdout.once("drain", resolve));
}

async function receive(message: Message): Promise<void> {
  const { id, method } = message;
  if (method === "initialize") offers = message.params;
  if (method === "initialize") send({ id, result: { protocolVersion: script.protocol ?? 1 } });
  else if (method === "session/new" || method === "session/load") {
    for (const text of script.past ?? []) say(text);
    send({ id, result: { sessionId: "s-1", ...script.session } });
  } else if (String(method).startsWith("session/set_")) {
    say(`${method} ${JSON.stringify(message.params)}`);
    send({ id, result: {} });
  } else if (method === "session/prompt")
    for (const step of script.turn ?? [["stop", "end_turn"]]) await take(step, id);
  else awaited.get(method ?? id)?.(message);
}

createInterface({ input: process.stdin }).on("line", (line) => void receive(JSON.parse(line)));
