import { STEPS } from "../../../src/core/step/step.ts";
import { listAbilities } from "../../../src/hooks/commands/describe-install.ts";
import { HOOK_AGENT_NAMES, hookAgentOf } from "../../support/agents.ts";
import { writeTable } from "./page-parts.ts";

const VETOES = {
  blocks: "blocks",
  continues: "goes on",
  feedback: "told",
  warns: "warns",
  none: "",
} as const;

/** What a veto does at each step of each agent, and what else it takes there. */
export function writeAbilitiesTable(): string {
  const agents = HOOK_AGENT_NAMES;
  const lists = agents.map((agent) => listAbilities(hookAgentOf(agent).abilities));
  const rows = STEPS.filter((step) => !step.endsWith("_command")).map((step) => [
    `\`${step}\``,
    ...lists.map((list) => {
      const line = list.find((one) => one.step === step);
      if (line === undefined || line.event === null) return "–";
      return [VETOES[line.veto], ...line.changes.map((field) => `\`${field}\``)]
        .filter((part) => part !== "")
        .join(", ");
    }),
  ]);
  return writeTable(["step", ...agents], rows);
}
