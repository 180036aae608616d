// A conversation with any agent that speaks the Agent Client Protocol.
import { type AcpSpeaker, openAcpConversation } from "../protocol/acp/conversation.ts";
import type { ConversationWay } from "../run/conversation.ts";
import { acpAdapter } from "./run.ts";
import { traitsOf } from "./traits.ts";

const SPEAKER: AcpSpeaker = {
  adapter: acpAdapter,
  traitsOf,
  // Of codex-acp 2.6.0 only the last one asks before it writes.
  askingModes: ["default", "ask", "read-only"],
  askingOptions: {},
  takesAnyModel: false,
};

export const acpConversation: ConversationWay = {
  asks: "permissions",
  open: (context) => openAcpConversation(SPEAKER, context),
};
