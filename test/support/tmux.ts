// A real terminal: what is typed into it arrives as keys, and what it shows can be read.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { joinWords } from "../../src/core/command/words.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Where everything is required, it counts as there, and its absence fails the tests. */
export const HAS_TMUX =
  process.env.ADJ_TEST_REQUIRE === "all" || spawnSync("tmux", ["-V"]).status === 0;

export interface Terminal {
  /** As it stands now, without the blanks at the ends of rows and below the last one. */
  screen(): string;
  /** The same with the codes of colours. */
  styledScreen(): string;
  /** Waits until the screen holds this. */
  shows(text: string | RegExp): Promise<void>;
  type(text: string): void;
  /** By the names that tmux has for keys: `Enter`, `C-c`. */
  press(...keys: string[]): void;
  /** As a terminal pastes: between marks, line ends and all. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** Of the program in it. */
  pid(): number;
  /** Takes the terminal away, as when its window is closed. */
  close(): void;
  /** The exit code, as soon as the program has ended. */
  ended(): Promise<number>;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly columns?: number;
  readonly rows?: number;
}

const BOUND_MS = 20_000;
const LOOK_MS = 25;

/**
 * As a child of the test, not as a daemon: what a tmux without a client and without a parent shows counts as an agent's where one
 * was there before it, and other tests start what looks like one.
 */
function startServer(own: readonly string[], socket: string): void {
  spawn("tmux", [...own, "-D"], { stdio: "ignore" }).unref();
  const deadline = performance.now() + BOUND_MS;
  const sleep = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(socket)) {
    if (performance.now() > deadline) throw new Error("tmux did not start");
    Atomics.wait(sleep, 0, 0, LOOK_MS);
  }
}

export function openTerminal(words: readonly string[], options: TerminalOptions): Terminal {
  const { cwd, env, columns = 80, rows = 24 } = options;
  const socket = join(temporaryFolder("adjutant-tmux-"), "s");
  const own = ["-S", socket, "-f", "/dev/null"];
  const tmux = (...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync("tmux", [...own, ...args], {
      encoding: "utf8",
      cwd,
    });
    if (status !== 0) throw new Error(`tmux ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const given = Object.entries({ TERM: "xterm-256color", LANG: "C.UTF-8", ...env });
  const variables = given.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const line = `exec env -i ${joinWords([...variables, ...words])}`;
  const size = ["-x", String(columns), "-y", String(rows)];
  startServer(own, socket);
  tmux("new-session", "-d", ...size, "-c", cwd, line, ";", "set", "-g", "remain-on-exit", "on");
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const capture = (...flags: string[]) =>
    tmux("capture-pane", "-p", ...flags)
      .replaceAll(/[ \t]+$/gm, "")
      .trimEnd();
  const until = async (isSo: () => boolean, what: string) => {
    const deadline = performance.now() + BOUND_MS;
    while (!isSo()) {
      if (performance.now() > deadline) throw new Error(`never ${what} in\n${capture()}`);
      await pause(LOOK_MS);
    }
  };
  const state = (format: string) => tmux("display-message", "-p", format).trim();
  return {
    screen: () => capture(),
    styledScreen: () => capture("-e"),
    shows: (text) =>
      until(
        () => (typeof text === "string" ? capture().includes(text) : text.test(capture())),
        String(text),
      ),
    type: (text) => void tmux("send-keys", "-l", text),
    press: (...keys) => void tmux("send-keys", ...keys),
    paste: (text) => void tmux("set-buffer", text, ";", "paste-buffer", "-p", "-r"),
    resize: (width, height) =>
      void tmux("resize-window", "-x", String(width), "-y", String(height)),
    pid: () => Number(state("#{pane_pid}")),
    close: () => void tmux("kill-session"),
    ended: async () => {
      await until(() => state("#{pane_dead}") === "1", "the end");
      return Number(state("#{pane_dead_status}"));
    },
  };
}
