// The contract of a conversation: an agent keeps the thread over many prompts. Either its process stays, in the way
// the agent does that best, or every prompt starts one that takes the agent's own id up again (`resume`).
import type { ToolArguments } from "../../core/step/envelope.ts";
import type { LogEvent } from "../log/event.ts";
import type { AgentExecutionContext, AgentFile } from "./adapter.ts";
import type { Refusal } from "./prepare-run.ts";

/** `process` stays between prompts; `resume` starts one a prompt. */
export const VIAS = ["process", "resume"] as const;
export type Via = (typeof VIAS)[number];

/** What a conversation is opened with. */
export interface ConversationContext
  extends Omit<AgentExecutionContext, "config" | "timeout" | "isPromptInArguments" | "ownHooks"> {
  /** The user's own fields as for a run, unchecked: model, system prompt, limits; no prompt and no `resume`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The agent's own id of a conversation to go on with. */
  readonly resume: string | null;
  /** How a hook of this one run reaches whoever decides; null where nobody listens for hooks. */
  readonly stepHook: StepHook | null;
}

/** A program that takes a hook's payload on stdin and prints the answer in the agent's own words. */
export interface StepHook {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** How long an answer may take, a person's patience included. */
  readonly limitMs: number;
}

/** What makes one run of the agent call that program, without a word in the user's own files. */
export interface StepHookEntry {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly AgentFile[];
}

/** What the agent wants to do, in its own words. */
export interface ToolRequest {
  /** The agent's id of the call; null where it gives none. */
  readonly callId: string | null;
  readonly tool: string;
  readonly args: ToolArguments;
  /** Fires when the agent no longer wants to know. */
  readonly signal: AbortSignal;
}

export type ToolAnswer =
  | {
      readonly kind: "allow";
      /** Other arguments than those asked about; null where they stay. */
      readonly args: ToolArguments | null;
    }
  /** The reason reaches the model: with the refusal where the protocol can carry it, else as words after it. */
  | { readonly kind: "deny"; readonly reason: string };

export interface TurnRequest {
  readonly prompt: string;
  /** Passed with every prompt: some agents would forget it, others keep an older one. */
  readonly model: string | null;
  /** Cancels: the agent is told by its protocol first, then ended. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: LogEvent) => void;
  /** Asked for each tool that the agent asks about; it never rejects. */
  readonly decideTool: (request: ToolRequest) => Promise<ToolAnswer>;
}

export type TurnEnding =
  /** The agent said its final word; the events tell whether it is a good one. */
  | { readonly kind: "ended" }
  | { readonly kind: "cancelled" }
  /** The agent knows nothing of the conversation it was to go on with; nothing was sent to the model. */
  | { readonly kind: "forgotten"; readonly problem: string }
  /** The process ended, or said nothing that can be understood. */
  | { readonly kind: "lost"; readonly problem: string };

export interface Conversation {
  /** The agent's own id, as soon as it is known. */
  readonly id: string | null;
  /** Whether another prompt can be sent; false once the process is gone. */
  readonly isOpen: boolean;
  /** One prompt and all that the agent does until it stops. One at a time; it never rejects. */
  send(turn: TurnRequest): Promise<TurnEnding>;
  /** Puts words into the turn that runs; false where the protocol has no word for it. */
  steer(text: string): Promise<boolean>;
  /** Ends the process and all that it started. */
  close(): Promise<void>;
}

export type OpenedConversation =
  | { readonly kind: "open"; readonly conversation: Conversation }
  /** Nothing was started. */
  | { readonly kind: "refused"; readonly errors: readonly Refusal[] };

/** One way in which an agent keeps a thread. */
export interface ConversationProtocol {
  /** Which questions of the agent reach `decideTool`: all that it does, what it would ask a person, or none. */
  readonly asks: "everything" | "permissions" | "nothing";
  /** Settings that do not count in it, because every tool is decided on by whoever is asked. */
  readonly leavesOut?: readonly string[];
  /** Settings with which no turn begins: what decides on tools needs their place. */
  readonly refuses?: readonly string[];
  open(context: ConversationContext): Promise<OpenedConversation>;
}
