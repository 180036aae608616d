import { fault } from "../../command/fault.ts";
import type { Interactor } from "../../dispatch/request.ts";

/** Questions on the terminal, drawn on stderr: stdout is for data alone. */
export function createTerminalInteractor(command: string): Interactor {
  const output = process.stderr;
  const ask = async <Answer>(
    put: (prompts: typeof import("@clack/prompts")) => Promise<Answer | symbol>,
  ): Promise<Answer> => {
    const prompts = await import("@clack/prompts");
    const answer = await put(prompts);
    // Ctrl-C or Escape at a question is a no to everything that hangs on it.
    if (typeof answer === "symbol") throw fault("Declined", { name: command });
    return answer;
  };
  return {
    name: "terminal",
    confirm: (message) =>
      ask<boolean>(({ confirm }) => confirm({ message, initialValue: false, output })),
    select: (message, choices) =>
      ask<string>(({ select }) =>
        select({ message, options: choices.map((value) => ({ value, label: value })), output }),
      ),
    input: (message, options) =>
      ask<string>(({ password, text }) =>
        options?.secret ? password({ message, output }) : text({ message, output }),
      ),
  };
}
