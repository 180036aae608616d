import { describe, expect, test } from "vitest";
import type { Origin } from "../../../src/core/command/request.ts";
import {
  findAgentAncestor,
  isAgentRequest,
  type OtherProcesses,
} from "../../../src/core/dispatch/below-agent.ts";
import type { SeenProcess } from "../../../src/core/process/ancestors.ts";

const SIGNS = {
  marks: ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI"],
  programs: new Set(["claude", "codex", "gemini"]),
  packages: ["@google/gemini-cli", "@openai/codex"],
};

describe("a request says whether an agent is asking", () => {
  test.each<[origin: Origin, env: Record<string, string>, is: boolean]>([
    [{ surface: "cli" }, {}, false],
    [{ surface: "console" }, { PATH: "/bin", CLAUDECODE: "" }, false],
    [{ surface: "web" }, {}, false],
    [{ surface: "hook" }, {}, true],
    [{ surface: "mcp" }, {}, true],
    [{ surface: "library", agent: "codex" }, {}, true],
    [{ surface: "cli" }, { ADJ_DEPTH: "1" }, true],
    [{ surface: "cli" }, { CLAUDECODE: "1" }, true],
    [{ surface: "cli" }, { CODEX_SANDBOX: "seatbelt" }, true],
    [{ surface: "cli" }, { GEMINI_CLI: "1" }, true],
  ])("from %j with %j: %s", (origin, env, is) => {
    expect(isAgentRequest({ origin, env }, SIGNS)).toBe(is);
  });
});

/** Behind a multiplexer's `-` stand the terminals of its clients: `-pts/4`. */
function othersOf(chain: string, others: readonly string[]): OtherProcesses {
  const rows = [...chain.split("|"), ...others].map((line) => line.trim().split(/\s+/));
  const terminals = new Map(
    rows.map(([pid, , , tty]) => [Number(pid), (tty ?? "").replace(/^-/, "")]),
  );
  return {
    list: () => others.flatMap(readChain),
    listTerminals: (pid) => [terminals.get(pid) ?? ""].filter((name) => name.includes("/")),
    listHolders: () => [],
  };
}

/** `pid<parent session tty@start words`, from the process itself upwards. */
function readChain(text: string): SeenProcess[] {
  return text.split("|").map((line) => {
    const [pid, parent, session, tty, startedAt, ...given] = line.trim().split(/\s+/);
    // A shell is given its line as one word.
    const at = given.indexOf("-c") + 1;
    const words = at === 0 ? given : [...given.slice(0, at), given.slice(at).join(" ")];
    return {
      pid: Number(pid),
      parent: Number(parent),
      session: session === "?" ? null : Number(session),
      hasTerminal: tty?.startsWith("-") === false,
      startedAt: Number(startedAt),
      words,
      program: null,
    };
  });
}

const INIT = "1 0 1 - 0 /sbin/init";
const BARE_INIT = "1 0 0 - 0 /init";
const CLAUDE = "50 40 40 pts 500 claude";

// A line is `pid parent session terminal start words`; the first is the process itself.
describe("ancestors say whether an agent is above", () => {
  test.each<[what: string, chain: string, others: string[], is: boolean]>([
    [
      "a person in a multiplexer, with its client, beside an agent",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 -bash|70 1 70 -pts/6 700 tmux new|${INIT}`,
      [CLAUDE, "65 60 60 pts/6 690 tmux new", "60 1 60 pts/6 600 -bash"],
      false,
    ],
    [
      "in a multiplexer that nobody looks at, beside a person's own",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh g.sh|70 1 70 - 700 tmux -L x new -d|${INIT}`,
      [
        CLAUDE,
        "66 1 66 -pts/6 600 tmux new",
        "65 60 60 pts/6 690 tmux new",
        "60 1 60 pts/6 600 -bash",
      ],
      true,
    ],
    [
      "in a multiplexer whose client sits in another that nobody looks at",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh g.sh|70 1 70 -pts/7 700 tmux -L in new|${INIT}`,
      [CLAUDE, "66 1 66 - 600 tmux -L out new -d", "65 66 65 pts/7 690 tmux -L in new"],
      true,
    ],
    [
      "two multiplexers that look at each other",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh g.sh|70 1 70 -pts/7 700 tmux -L in new|${INIT}`,
      [
        CLAUDE,
        "66 1 66 -pts/8 600 tmux -L out new",
        "65 66 65 pts/7 690 tmux a",
        "67 70 67 pts/8 690 tmux a",
      ],
      true,
    ],
    [
      "a person in a multiplexer within a multiplexer",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 bash|70 1 70 -pts/7 700 tmux -L in new|${INIT}`,
      [
        CLAUDE,
        "66 1 66 -pts/8 600 tmux new",
        "65 66 65 pts/7 690 tmux -L in new",
        "67 60 60 pts/8 690 tmux new",
        "60 1 60 pts/8 500 -bash",
      ],
      false,
    ],
    [
      "a terminal of an editor that nobody sees, while the agent lives",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh|70 1 70 - 700 nvim --headless|${INIT}`,
      [CLAUDE],
      true,
    ],
    [
      "in a multiplexer that no agent was there to start",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 -bash|70 1 70 - 400 tmux new|${INIT}`,
      [CLAUDE],
      false,
    ],
    [
      "in a multiplexer that nobody looks at, which came after an agent",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh g.sh|70 1 70 - 700 tmux new-session -d|${INIT}`,
      [CLAUDE],
      true,
    ],
    [
      "in a multiplexer whose only client an agent has",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh g.sh|70 1 70 - 700 tmux new-session -d|${INIT}`,
      [CLAUDE, "75 74 75 pts 750 tmux attach", "74 50 40 pts 740 script -c tmux"],
      true,
    ],
    [
      "a person at a terminal",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 -bash|70 1 70 - 700 sshd|${INIT}`,
      [],
      false,
    ],
    [
      "a person in tmux with an agent in another pane",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 -bash|70 1 70 - 700 tmux|${INIT}`,
      ["50 40 40 pts 750 claude", "40 70 40 pts 740 -bash", "70 1 70 - 700 tmux"],
      false,
    ],
    [
      "a terminal whose launcher has ended",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 zsh|70 1 33 - 700 alacritty|${INIT}`,
      [CLAUDE],
      false,
    ],
    [
      "a shell by `docker exec`",
      "90 80 80 pts 900 adj trust|80 0 80 pts 800 bash",
      [CLAUDE],
      false,
    ],
    [
      "a container whose first process is the shell",
      "90 1 1 - 900 adj trust --hash x|1 0 1 - 0 sh -c build",
      [],
      false,
    ],
    [
      "a container below `tini`",
      "90 80 1 - 900 adj trust|80 1 1 - 800 sh build.sh|1 0 1 - 0 tini -- sh build.sh",
      [],
      false,
    ],
    [
      "a job of a service, an agent of its own beside it",
      `90 80 70 - 900 adj trust|80 70 70 - 800 node worker|70 1 70 - 300 runsvc.sh|${INIT}`,
      ["95 80 70 - 850 claude", "80 70 70 - 800 node worker"],
      false,
    ],
    [
      "a service that was there before the agent",
      `90 80 70 - 900 adj trust|80 70 70 - 800 sh|70 1 70 - 300 cron|${INIT}`,
      [CLAUDE],
      false,
    ],
    [
      "a line that only ends like an agent's name",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh -c npm test -- test/agents/codex|70 1 70 - 700 sshd|${INIT}`,
      [],
      false,
    ],
    [
      "an agent by its program",
      `90 80 80 - 900 adj trust|80 50 80 - 800 bash -c x|${CLAUDE}|40 1 40 pts 400 bash|${INIT}`,
      [],
      true,
    ],
    [
      "an agent by the script of an interpreter",
      `90 80 80 - 900 adj trust|80 40 80 - 800 node --no-warnings /opt/bin/gemini -p x|40 1 40 pts 400 bash|${INIT}`,
      [],
      true,
    ],
    [
      "an agent by its package",
      `90 80 80 - 900 adj trust|80 40 80 - 800 node /x/node_modules/@google/gemini-cli/dist/index.js|40 1 40 pts 400 bash|${INIT}`,
      [],
      true,
    ],
    [
      "an agent by its native binary",
      `90 80 80 - 900 adj trust|80 40 80 - 800 /x/node_modules/@openai/codex-linux-x64/vendor/codex-real|40 1 40 pts 400 bash|${INIT}`,
      [],
      true,
    ],
    ["`setsid -f adj trust`", `90 1 90 - 900 adj trust|${INIT}`, [], true],
    [
      "`(adj trust &)`, the leader of its session lives elsewhere",
      `90 1 40 pts 900 adj trust|${INIT}`,
      [],
      true,
    ],
    [
      "`nohup sh -c` that outlived its starter",
      `90 80 40 - 900 adj trust|80 1 40 - 800 sh -c x|${INIT}`,
      [],
      true,
    ],
    [
      "an orphan that makes a session further down",
      `90 80 80 - 900 adj trust|80 70 80 - 800 sh|70 1 40 - 700 setsid -w sh|${INIT}`,
      [],
      true,
    ],
    [
      "`setsid -f sh -c` while the agent lives",
      `90 80 80 - 900 adj trust|80 1 80 - 800 sh -c x|${INIT}`,
      [CLAUDE],
      true,
    ],
    [
      "a terminal made by `script` while the agent lives",
      `90 80 80 pts 900 adj trust|80 70 80 pts 800 sh|70 1 70 - 700 script -qc x|${INIT}`,
      [CLAUDE],
      true,
    ],
    [
      "an orphan of a user's own service manager",
      "90 15 90 - 900 adj trust|15 1 15 - 10 /lib/systemd/systemd --user|1 0 1 - 0 /sbin/init",
      [],
      true,
    ],
    ["a pid namespace of its own without a session", "1 0 0 - 900 adj trust", [], true],
    [
      "macOS: an orphan without a terminal",
      "90 1 ? - 0 adj trust|1 0 ? - 0 /sbin/launchd",
      [],
      true,
    ],
    [
      "macOS: a person",
      "90 80 ? ttys1 0 adj trust|80 70 ? ttys1 0 -zsh|70 1 ? - 0 Terminal|1 0 ? - 0 /sbin/launchd",
      [],
      false,
    ],
  ])("%s", (_, chain, others, is) => {
    const ancestry = {
      chain: readChain(chain),
      environments: [],
      isWholeMachine: false,
      unseen: null,
    };
    const why = findAgentAncestor(ancestry, SIGNS, othersOf(chain, others));
    expect(why !== null, String(why)).toBe(is);
  });

  // The first process of some virtual machines starts others without a session: they are in the kernel's, 0.
  test.each<[what: string, chain: string, others: string[], is: boolean]>([
    [
      "a job of the machine itself",
      `90 80 0 - 900 adj trust|80 70 0 - 800 sh x|70 1 0 - 700 bash ci|${BARE_INIT}`,
      ["95 80 0 - 850 claude", "80 70 0 - 800 sh x", "70 1 0 - 700 bash ci"],
      false,
    ],
    [
      "`(sh -c 'adj trust' &)` while the agent lives",
      `90 80 0 - 900 adj trust|80 1 0 - 800 sh -c x|${BARE_INIT}`,
      ["50 40 0 - 500 claude"],
      true,
    ],
    [
      "an orphan that makes a session further down while the agent lives",
      `90 80 90 - 900 adj trust|80 1 0 - 800 setsid -w sh|${BARE_INIT}`,
      ["50 40 0 - 500 claude"],
      true,
    ],
  ])("in a machine's own session: %s", (_, chain, others, is) => {
    const ancestry = {
      chain: readChain(chain),
      environments: [],
      isWholeMachine: true,
      unseen: null,
    };
    const why = findAgentAncestor(ancestry, SIGNS, othersOf(chain, others));
    expect(why !== null, String(why)).toBe(is);
  });

  test.each<[what: string, chain: string, is: boolean]>([
    ["at a terminal", "90 80 80 pts 900 adj trust|80 70 80 pts 800 -bash", false],
    ["without one", "90 80 40 - 900 adj trust|80 70 40 - 800 sh -c x", true],
  ])("whoever's parent cannot be seen counts as an orphan: %s", (_, chain, is) => {
    const ancestry = {
      chain: readChain(chain),
      environments: [],
      isWholeMachine: true,
      unseen: null,
    };
    expect(findAgentAncestor(ancestry, SIGNS, othersOf("", [])) !== null).toBe(is);
  });

  test("what the system does not show counts as an agent's", () => {
    const shown = readChain(`90 80 80 pts 900 adj trust|80 1 80 pts 800 -bash|${INIT}`);
    for (const chain of [[], shown]) {
      const unseen = "`/proc` does not show processes";
      const ancestry = { chain, environments: [], isWholeMachine: true, unseen };
      expect(findAgentAncestor(ancestry, SIGNS, othersOf("", []))).toBe(unseen);
    }
  });

  test("a variable that was taken away still stands in the shell above", () => {
    const chain = readChain(`90 80 80 - 900 adj|80 70 80 - 800 sh|70 1 70 pts 700 bash|${INIT}`);
    const find = (...environments: string[]) =>
      findAgentAncestor(
        { chain, environments, isWholeMachine: true, unseen: null },
        SIGNS,
        othersOf("", []),
      );
    expect(find("PATH=/bin", "CLAUDECODE=1")).toContain("CLAUDECODE");
    expect(find("PATH=/bin", "CLAUDECODE=", "XCLAUDECODE=1")).toBeNull();
  });

  const SHELL = `90 80 80 pts 900 adj trust|80 1 80 pts 800 -bash|${INIT}`;
  const WINDOW = `90 80 80 pts 900 adj trust|80 70 80 pts 800 bash|70 1 70 - 700 window|${INIT}`;
  const AGENT = "60 50 50 pts 600 claude";

  // biome-ignore format: a table, one line each
  test.each<[what: string, chain: string, holders: readonly string[], others: readonly string[], is: boolean]>([
    ["nobody who can be seen", SHELL, [], [AGENT], false],
    ["the window above it", WINDOW, [`70 1 70 - 700 window|${INIT}`], [], false],
    ["a window that was there before an agent", WINDOW, [`70 1 70 - 700 window|${INIT}`], ["75 50 50 pts 750 claude"], false],
    ["what came after an agent, and nobody started", WINDOW, [`70 1 70 - 700 window|${INIT}`], [AGENT], true],
    ["a program of the agent's", SHELL, [`65 60 50 pts 650 helper|${AGENT}|50 1 50 pts 500 bash|${INIT}`], [AGENT], true],
    ["a program that was left behind", SHELL, [`65 1 65 - 650 helper|${INIT}`], [], true],
    ["the shell itself", SHELL, [`80 1 80 pts 800 -bash|${INIT}`], [], true],
    ["a program that a person started elsewhere", SHELL, [`65 50 50 pts 650 systemd-run|50 40 50 pts 500 bash|40 1 40 - 400 window|${INIT}`], [], false],
  ])("where the terminal is held by %s", (_, chain, holders, others, is) => {
    const ancestry = { chain: readChain(chain), environments: [], isWholeMachine: true, unseen: null };
    const held = holders.map(readChain);
    const beside = { ...othersOf(chain, others), listHolders: (pid: number) => (pid === 80 ? held : []) };
    expect(findAgentAncestor(ancestry, SIGNS, beside) !== null).toBe(is);
  });
});
