import type { RunLog } from "./run-log.ts";

/** What the agent said to the person, without the words of its sub-agents. */
export const answerText = ({ messages }: Pick<RunLog, "messages">): string =>
  messages
    .filter(({ role, parent }) => role === "assistant" && parent === undefined)
    .map(({ content }) => content)
    .join("\n");
