// A conversation with any agent that speaks the Agent Client Protocol.
import { type AcpSpeaker, acpProtocol } from "../protocol/acp/conversation.ts";
import { traitsOf } from "./dialect.ts";
import { acpAdapter } from "./run.ts";

const SPEAKER: AcpSpeaker = {
  adapter: acpAdapter,
  traitsOf,
  // Of codex-acp 2.6.0 only the last one asks before it writes.
  askingModes: ["default", "ask", "read-only"],
  askingOptions: {},
  takesAnyModel: false,
};

export const acpConversation = acpProtocol(() => SPEAKER);
