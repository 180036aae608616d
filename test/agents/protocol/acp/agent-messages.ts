// What an agent that speaks the protocol writes, for the programs that play one.

export const send = (message: object): boolean =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

export const update = (content: object): boolean =>
  send({ method: "session/update", params: { sessionId: "s-1", update: content } });

export const say = (text: string): boolean =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
