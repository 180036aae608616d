// What `model` and `provider` share: what is chosen now, whether a proposal fits, the saved default.
import { join } from "node:path";
import type { CommandContext } from "../command/context.ts";
import { fault } from "../command/fault.ts";
import type { SessionState } from "../command/session-access.ts";
import { type Choice, choose, type Source } from "../session/choice.ts";
import { needsOf, negotiate, type Proposal } from "../session/negotiation.ts";
import type { Program } from "./program.ts";

/** Declared by every command that asks what is chosen. */
export const CHOICE_VARIABLES = ["ADJ_AGENT", "ADJ_MODEL"] as const;

export interface Chosen {
  readonly agent: Choice;
  readonly model: Choice;
}

export async function findChosen(
  context: CommandContext,
  program: Program,
  state: SessionState,
): Promise<Chosen> {
  const settings = await program.settings();
  const { env } = context;
  return {
    agent: choose({
      environment: env.get("ADJ_AGENT"),
      session: state.agent,
      settings: settings.agent,
    }),
    model: choose({
      environment: env.get("ADJ_MODEL"),
      session: state.model,
      settings: settings.model,
    }),
  };
}

const SOURCES: Readonly<Record<Exclude<Source, "none">, string>> = {
  environment: "from the environment",
  session: "from this session",
  settings: "from the settings",
};

export const describeChoice = ({ value, source }: Choice, none: string): string =>
  value === null || source === "none" ? none : `${value} (${SOURCES[source]})`;

/** Warnings of a proposal that fits; one that does not is a fault and changes nothing. */
export async function requireFit(
  proposal: Proposal,
  program: Program,
  state: SessionState,
): Promise<readonly string[]> {
  const agents = await program.agents();
  const answer = negotiate(proposal, agents, needsOf(state));
  const agent = proposal.agent ?? "";
  switch (answer.kind) {
    case "accepted":
      return answer.warnings;
    case "agent-unknown": {
      const hint = `known are ${agents.map(({ name }) => `\`${name}\``).join(", ")}`;
      throw fault("AgentUnknown", { agent, suggestions: answer.suggestions }, { hint });
    }
    case "capability-missing":
      throw fault(
        "CapabilityMissing",
        { agent, capabilities: answer.capabilities },
        { hint: "choose another agent" },
      );
    case "model-unknown": {
      const { model, suggestions } = answer;
      const hint = `give one of its models, \`adj provider ${agent} --model NAME\``;
      throw fault("ModelUnknown", { agent, model, suggestions }, { hint });
    }
  }
}

/** The user's own settings, not the project's. */
export async function saveDefault(
  program: Program,
  key: "agent" | "model",
  value: string,
): Promise<string> {
  const { editSettings } = await import("../config/settings-edit.ts");
  const file = join(program.configDir, "config.yaml");
  editSettings({ file, scope: "user" }, [key], value);
  return file;
}

export const withWarnings = (text: string, warnings: readonly string[]): string =>
  [text, ...warnings.map((warning) => `warning: ${warning}`)].join("\n");
