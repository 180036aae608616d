let lendings = 0;

/** Whether a program has this terminal: its keys, Ctrl-C among them, are then meant for that program. */
export const isTerminalLent = (): boolean => lendings > 0;

export async function lendTerminal<Result>(use: () => Promise<Result>): Promise<Result> {
  lendings += 1;
  try {
    return await use();
  } finally {
    lendings -= 1;
  }
}
