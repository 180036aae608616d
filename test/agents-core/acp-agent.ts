// Run as a program: an agent that speaks the protocol, and misbehaves on purpose where it is told to.
import { createInterface } from "node:readline";

const behaviour = process.argv[2] ?? "";
const send = (message: object) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (content: object) =>
  send({ method: "session/update", params: { sessionId: "s-1", update: content } });
const say = (text: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

const CALL = {
  toolCallId: "c-1",
  title: "touch it",
  kind: "execute",
  rawInput: { command: "touch it" },
};
const OPTIONS = [
  { optionId: "yes", kind: "allow_once", name: "Allow" },
  { optionId: "no", kind: "reject_once", name: "Reject" },
];

function work(): void {
  say("I ask");
  say(" first.");
  update({ sessionUpdate: "tool_call", status: "pending", ...CALL });
  send({
    id: "ask",
    method: "session/request_permission",
    params: { sessionId: "s-1", toolCall: CALL, options: OPTIONS },
  });
}

function finish(chosen: unknown): void {
  const isAllowed = chosen === "yes";
  const status = isAllowed ? "completed" : "failed";
  const rawOutput = isAllowed ? { exitCode: 0 } : {};
  update({ sessionUpdate: "tool_call_update", toolCallId: "c-1", status, rawOutput });
  say("Done.");
  send({
    id: 3,
    result: { stopReason: "end_turn", usage: { inputTokens: 7, outputTokens: 5, totalTokens: 12 } },
  });
}

function receive(message: Record<string, unknown>): void {
  if (message.id === 1)
    send({ id: 1, result: { protocolVersion: 1, agentInfo: { name: "Test", version: "9.9.9" } } });
  else if (message.id === 2) send({ id: 2, result: { sessionId: "s-1" } });
  else if (message.id === 3) startTurn();
  else if (message.id === "odd") say(JSON.stringify(message.error));
  else if (message.id === "ask") finish(Object(Object(message.result).outcome).optionId);
}

function startTurn(): void {
  if (behaviour === "dies") process.exit(3);
  if (behaviour === "asks-oddly") send({ id: "odd", method: "terminal/create", params: {} });
  if (behaviour === "hangs") say("I wait.");
  else work();
}

const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => receive(JSON.parse(line)));
if (behaviour === "stays") setInterval(() => undefined, 1000);
