// One prompt to a conversation, and all that came of it.
import type { LogEvent } from "../../../src/agents/log/event.ts";
import type {
  Conversation,
  ToolAnswer,
  ToolRequest,
  TurnEnding,
  TurnRequest,
} from "../../../src/agents/run/conversation.ts";

export interface SaidTurn {
  readonly ending: TurnEnding;
  readonly events: readonly LogEvent[];
  /** What the agent said, message by message. */
  readonly said: readonly string[];
  readonly asked: readonly ToolRequest[];
}

export type TurnChanges = Partial<TurnRequest>;

const allow = async (): Promise<ToolAnswer> => ({ kind: "allow", args: null });

export async function sendTurn(
  conversation: Conversation,
  prompt: string,
  changes: TurnChanges = {},
): Promise<SaidTurn> {
  const { decideTool = allow } = changes;
  const events: LogEvent[] = [];
  const asked: ToolRequest[] = [];
  const ending = await conversation.send({
    ...{ prompt, model: null, signal: new AbortController().signal, ...changes },
    onEvent: (event) => {
      events.push(event);
      changes.onEvent?.(event);
    },
    decideTool: (request) => {
      asked.push(request);
      return decideTool(request);
    },
  });
  const said = events.flatMap((event) =>
    event.kind === "message" && event.role === "assistant" ? [event.content] : [],
  );
  return { ending, events, said, asked };
}
