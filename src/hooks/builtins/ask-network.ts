// Has a person asked before anything goes over the network.
import type { StepName } from "../step.ts";
import type { Builtin } from "./builtin.ts";
import { choice, optionalText, readFields, texts } from "./read-fields.ts";
import { ACTIONS, type Action, act, NO_INTERVENTION } from "./verdicts.ts";

interface NetworkOptions {
  readonly hosts: readonly string[];
  readonly action: Action;
  readonly reason: string | null;
}

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const askNetwork: Builtin<NetworkOptions> = {
  name: "ask-network",
  description: "has a person asked before a tool or a shell line uses the network",
  steps: STEPS,
  readOptions: (raw) =>
    readFields(raw, { hosts: texts([]), action: choice(ACTIONS, "ask"), reason: optionalText }),
  async decide({ hosts, action, reason }, subject) {
    const { findNetworkUse } = await import("./find-network-use.ts");
    const use = findNetworkUse(subject, hosts);
    return use === null ? NO_INTERVENTION : act(action, reason ?? `it uses the network: ${use}`);
  },
};
