// The built program in a home of its own: what a user would see, whole.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { StoredEvent } from "../../src/core/command/event.ts";
import { findProjectRoot } from "../../src/core/project/paths.ts";
import { approveProject } from "../../src/core/project/trust/approval.ts";
import { openAudit } from "../../src/core/store/audit.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export const ADJ = join(CHECKOUT, "bin", "adj");
/** What the launcher hands over to; it has tests of its own, and costs a fifth of a bare start. */
const BUILT = join(CHECKOUT, "dist", "adj.cjs");
/** These are given a flag of Node's by the launcher. */
const STAYING = new Set(["mcp", "acp", "serve"]);

export interface Printed {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Null to leave it open, for the test to write to. */
  readonly stdin?: string | Uint8Array | null;
}

export interface Home {
  readonly folder: string;
  readonly project: string;
  readonly stateDir: string;
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** Writes files below the home's folder. */
  write(files: Readonly<Record<string, string>>): void;
  adj(...words: string[]): Promise<Printed>;
  /** The same, elsewhere, in another environment or with something piped in. */
  adjIn(options: Partial<RunOptions>, ...words: string[]): Promise<Printed>;
  /** Starts the program and leaves it running. */
  start(...words: string[]): Started;
  /** Trusts the project as it is now, as `adj trust` does, without its events. */
  trust(): Promise<void>;
  /** What is on record, but for `adj log` itself. */
  events(): Promise<StoredEvent[]>;
}

export function makeHome(): Home {
  const folder = temporaryFolder("adjutant-test-");
  const project = join(folder, "project");
  const stateDir = join(folder, "state");
  const configDir = join(folder, "config");
  mkdirSync(project);
  // Not the tester's own environment: it may be an agent's, where nothing can be granted.
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TMPDIR: folder,
    XDG_CACHE_HOME: join(tmpdir(), "adjutant-test-cache"),
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: configDir,
  };
  const home: Home = {
    folder,
    project,
    stateDir,
    configDir,
    env,
    write: (files) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
    },
    adj: (...words) => run(ADJ, words, { cwd: project, env }),
    adjIn: (options, ...words) => run(ADJ, words, { cwd: project, env, ...options }),
    start: (...words) => start(ADJ, words, { cwd: project, env }),
    trust: async () => void (await approveProject(findProjectRoot(project), stateDir)),
    events: async () => {
      // Who asks again and again must let what it waits for happen.
      await setImmediate();
      const audit = openAudit(stateDir);
      try {
        return [...audit.read({})].filter(
          // On a busy machine any start may find that it was held up.
          ({ data }) => data.name !== "log" && data.code !== "LoopBlocked",
        );
      } finally {
        audit.close();
      }
    },
  };
  return home;
}

export interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Printed>;
  /** Waits until this much was printed on stdout. */
  printed(text: string): Promise<void>;
}

export function start(program: string, words: readonly string[], options: RunOptions): Started {
  const { cwd, env, stdin = "" } = options;
  const isDirect = program === ADJ && !STAYING.has(words[0] ?? "");
  const [file, args] = isDirect ? [process.execPath, [BUILT, ...words]] : [program, words];
  const child = spawn(file, args, { cwd, env, stdio: "pipe" });
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const textOf = (channel: "stdout" | "stderr") => Buffer.concat(chunks[channel]).toString();
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  // A program need not read what is piped into it.
  child.stdin.on("error", () => undefined);
  if (stdin !== null) child.stdin.end(stdin);
  const ended = once(child, "close").then(([exitCode, signal]) => ({
    exitCode,
    signal,
    stdout: textOf("stdout"),
    stderr: textOf("stderr"),
  }));
  const printed = async (text: string) => {
    while (!textOf("stdout").includes(text))
      await Promise.race([once(child.stdout, "data"), failAtEnd(ended, text)]);
  };
  return { child, ended, printed };
}

/** A line in a real terminal, and the keys of a person, pressed when what they answer can be seen, if it asks at all. */
export async function typeInTerminal(
  line: string,
  { cwd, env }: Pick<RunOptions, "cwd" | "env">,
  keys: readonly (readonly [seen: string, keys: readonly string[]])[],
): Promise<Printed> {
  const words = ["-qefc", `stty cols 120 rows 40; ${line}`, "/dev/null"];
  const typing = start("script", words, { cwd, env, stdin: null });
  for (const [seen, pressed] of keys) {
    const ended = typing.ended.then(() => true);
    if (await Promise.race([ended, typing.printed(seen).then(() => false)])) break;
    for (const key of pressed) typing.child.stdin.write(key);
  }
  return typing.ended;
}

async function failAtEnd(ended: Promise<Printed>, text: string): Promise<never> {
  throw new Error(`it ended before it printed ${text}: ${JSON.stringify(await ended)}`);
}

export const run = (
  program: string,
  words: readonly string[],
  options: RunOptions,
): Promise<Printed> => start(program, words, options).ended;
