// What is known of replay, the agent that plays a recorded run without loading any of it.
import type { Agent } from "../agent.ts";

export const replay: Agent = {
  name: "replay",
  aliases: [],
  searchOrder: 9,
  marks: [],
  homeVariables: [],
  hookVariables: [],
  ownFields: ["cassette", "pace"],
  run: async () => (await import("./run.ts")).replayAdapter,
  conversation: async () => (await import("./conversation.ts")).replayConversation,
  tools: async () => (await import("./tools.ts")).REPLAY_TOOLS,
};
