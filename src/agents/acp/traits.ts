// What is known of agents by the name that they give themselves, where any program may be the agent.
import { asName, asRecord, type JsonRecord } from "../log/json-fields.ts";
import { type AcpTraits, readPlainCall } from "../protocol/acp/traits.ts";

const USUAL: AcpTraits = {
  usage: "prompt",
  saysErrors: false,
  toolName: readToolName,
  readCall: readPlainCall,
};

const TRAITS: Readonly<Record<string, Partial<AcpTraits>>> = {
  // 1.0.102.
  Copilot: { usage: "session", saysErrors: true },
  // 1.18.33 gives the figures of its last step as if they were the whole prompt's.
  OpenCode: { usage: "unusable" },
};

export const traitsOf = (agent: string | null): AcpTraits => ({
  ...USUAL,
  ...(agent !== null && Object.hasOwn(TRAITS, agent) ? TRAITS[agent] : {}),
});

function readToolName({ toolName, claudeCode }: JsonRecord): string | null {
  return asName(toolName) ?? asName(asRecord(claudeCode).toolName);
}
