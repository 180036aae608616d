import type { LogEvent } from "../../agents/log-event.ts";
import type { CommandContext } from "../../command/context.ts";

/** Shows events as they come: the answer for people, everything for programs. */
export function createEventShow(
  context: CommandContext,
  asData: boolean,
): (event: LogEvent) => void {
  let isLineOpen = false;
  const say = (text: string) => {
    if (text === "") return;
    context.write(text);
    isLineOpen = !text.endsWith("\n");
  };
  const endLine = () => {
    if (isLineOpen) say("\n");
  };
  if (asData) return (event) => say(`${JSON.stringify(event)}\n`);
  return (event) => {
    if (event.kind === "delta" && event.channel === "answer" && event.parent === null)
      say(event.text);
    if (event.kind === "message" && event.role === "assistant" && event.parent === null) {
      if (!event.isStreamed) say(event.content);
      endLine();
    }
    if (event.kind === "tool_call") {
      endLine();
      context.progress(`${event.name} …`);
    }
    if (event.kind === "final") endLine();
  };
}
