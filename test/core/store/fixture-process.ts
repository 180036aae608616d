// Runs a script of `fixtures/` in a real process of its own and talks to it line by line.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface FixtureProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every line it wrote, complete once it has ended. */
  readonly lines: readonly string[];
  nextLine(): Promise<string>;
  send(line: string): void;
  /** The exit code, null after a signal; all output has been read by then. */
  readonly ended: Promise<number | null>;
}

interface Start {
  readonly args: readonly string[];
  /** Program and arguments put before Node's own. */
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export function startFixture(
  script: string,
  { args, under = [], env = {} }: Start,
): FixtureProcess {
  const file = fileURLToPath(new URL(`fixtures/${script}`, import.meta.url));
  const [program = process.execPath, ...rest] = [...under, process.execPath, file, ...args];
  const child = spawn(program, rest, { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const errors: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors.push(text));
  child.stdin.on("error", (error) => errors.push(String(error)));
  return followLines(child, errors);
}

function followLines(child: ChildProcessWithoutNullStreams, errors: string[]): FixtureProcess {
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  let taken = 0;
  let isOver = false;
  const woken = new Set<() => void>();
  const wake = () => {
    for (const resolve of woken) resolve();
    woken.clear();
  };
  reader.on("line", (line) => {
    lines.push(line);
    wake();
  });
  const ended = once(child, "close").then(([code]) => {
    isOver = true;
    wake();
    return code;
  });
  return {
    child,
    lines,
    ended,
    send: (line) => void child.stdin.write(`${line}\n`),
    async nextLine() {
      while (lines.length <= taken && !isOver)
        await new Promise<void>((resolve) => woken.add(resolve));
      const line = lines[taken++];
      if (line === undefined) throw new Error(`it ended without another line: ${errors.join("")}`);
      return line;
    },
  };
}
