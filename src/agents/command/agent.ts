// What is known of any program that takes a prompt without loading any of it.
import type { Agent } from "../agent.ts";

export const commandAgent: Agent = {
  name: "command",
  aliases: [],
  searchOrder: 8,
  marks: [],
  homeVariables: [],
  hookVariables: [],
  ownFields: ["argv"],
  run: async () => (await import("./run.ts")).commandAdapter,
};
