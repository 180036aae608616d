// What is known of any agent that speaks the Agent Client Protocol without loading any of it.
import type { Agent } from "../agent.ts";

export const acp: Agent = {
  name: "acp",
  aliases: [],
  searchOrder: 7,
  marks: [],
  homeVariables: [],
  hookVariables: [],
  ownFields: ["argv", "offer_files"],
  run: async () => (await import("./run.ts")).acpAdapter,
  conversation: async () => (await import("./conversation.ts")).acpConversation,
};
