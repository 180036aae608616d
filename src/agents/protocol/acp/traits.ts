// Where agents that speak the protocol differ: what their figures mean, and what they call their tools.

import type { JsonRecord } from "../../../core/project/json-value.ts";
import type { ToolArguments } from "../../../core/step/envelope.ts";

export interface AcpTraits {
  /** Of what the figures in the answer to a prompt speak: of this prompt, or of the session so far. */
  readonly usage: "prompt" | "session" | "unusable";
  /** It ends a failed prompt as usual, and its last words alone say that it failed. */
  readonly saysErrors: boolean;
  /** The agent's own name of a tool, where its messages tell it beside the protocol's fields. */
  readonly toolName: (meta: JsonRecord) => string | null;
  /** A call in the agent's own words, as its hooks would tell it. */
  readonly readCall: (call: SeenCall) => OwnCall;
}

/** All that was said of a tool call so far. */
export interface SeenCall {
  readonly id: string;
  /** As `toolName` read it; empty where it was not told. */
  readonly name: string;
  readonly title: string;
  /** The protocol's word for what the tool does. */
  readonly kind: string;
  /** The arguments as they were told last. Some agents tell other ones when they ask than when they announce. */
  readonly input: JsonRecord;
  readonly firstInput: JsonRecord;
  /** Texts and differences, as they were told last. */
  readonly content: readonly unknown[];
  readonly path: string | null;
}

export interface OwnCall {
  readonly tool: string;
  readonly args: ToolArguments;
}

/** The protocol has no names for tools: the agent's own where it tells one, else the kind. */
export function readPlainCall({ name, title, kind, input, path }: SeenCall): OwnCall {
  const shown = path === null || kind === "execute" ? { title } : { title, path };
  return { tool: name || kind, args: Object.keys(input).length === 0 ? shown : input };
}
