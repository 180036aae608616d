// Whether an agent, not a person, is asking. Variables say it, and can be taken away; who started the process cannot.
import type { Request } from "../command/request.ts";
import {
  type Ancestry,
  listGroupProcesses,
  listHolders,
  listTerminals,
  readAncestry,
  type SeenProcess,
} from "../process/ancestors.ts";
import { belongsToMachine, markMachine, readNamespaces } from "../process/namespaces.ts";

/** By what agents are known from outside. */
export interface AgentSigns {
  /** Variables that agents set for what they start. */
  readonly marks: readonly string[];
  /** Names of their programs: `claude`, `codex`. */
  readonly programs: ReadonlySet<string>;
  /** The folders that their packages are installed in: `@openai/codex`. */
  readonly packages: readonly string[];
}

/** Adjutant itself sets this for the agents that it starts. */
const OWN_MARK = "ADJ_DEPTH";

/** The request itself says that it comes from an agent. */
export function isAgentRequest(
  { origin, env }: Pick<Request, "origin" | "env">,
  { marks }: Pick<AgentSigns, "marks">,
): boolean {
  if (origin.agent !== undefined || origin.surface === "hook" || origin.surface === "mcp")
    return true;
  const isSet = (mark: string): boolean => (env[mark] ?? "") !== "";
  return isSet(OWN_MARK) || marks.some(isSet);
}

/** Programs that are given others' orphans. */
const REAPERS: ReadonlySet<string> = new Set(["systemd", "init", "launchd"]);
/** Programs that make a terminal for another one, where no person sits. */
const TERMINAL_MAKERS =
  /^(?:script|expect|unbuffer|socat|python[\d.]*|perl|ruby|tclsh[\d.]*|n?vim?|zsh|busybox|rlwrap|faketty)$/;

/** Programs that keep terminals while nobody looks at them: a person has one of them open as its client. */
const MULTIPLEXERS = /^(?:tmux|screen|SCREEN|zellij|dtach|abduco|byobu|shpool)$/;

/** The processes beside one; asked for only where no living process can be named as the one that started it. */
export interface OtherProcesses {
  list(): readonly SeenProcess[];
  /** The terminals that a process has open, by their names. */
  listTerminals(pid: number): readonly string[];
  /** Who has the other end of its terminal, each with those above it: of those `above` it, else of all. */
  listHolders(pid: number, above: readonly number[]): readonly (readonly SeenProcess[])[];
}

/** Why the process counts as below an agent, null where it does not. */
export function findAgentAncestor(
  { chain, environments, isWholeMachine, unseen }: Ancestry,
  signs: AgentSigns,
  others: OtherProcesses,
): string | null {
  const [self, ...above] = chain;
  if (self === undefined) return unseen;
  const agent = above.find((one) => isAgentProgram(one, signs));
  if (agent !== undefined) return `\`${nameOf(agent)}\` (process ${agent.pid}) started it`;
  const names = [OWN_MARK, ...signs.marks];
  const mark = names.find((name) => environments.some((set) => isSetIn(set, name)));
  if (mark !== undefined) return `\`${mark}\` is set for a process that started it`;
  if (self.session === 0 && !isWholeMachine) return "its session was left behind";
  if (unseen !== null) return unseen;
  return findOrphan(chain, self, {
    isAgent: (one) => isAgentProgram(one, signs),
    others,
    looked: new Set(),
  });
}

const isSetIn = (entry: string, name: string): boolean =>
  entry.startsWith(`${name}=`) && entry.length > name.length + 1;

interface OrphanSearch {
  readonly isAgent: (one: SeenProcess) => boolean;
  readonly others: OtherProcesses;
  /** Those that were looked at: two multiplexers may show each other. */
  readonly looked: Set<number>;
}

/** A process whose starter has ended was given to another: what started it can only be guessed. */
function findOrphan(
  chain: readonly SeenProcess[],
  self: SeenProcess,
  search: OrphanSearch,
): string | null {
  const seen = new Map(chain.map((one) => [one.pid, one]));
  const last = chain.at(-1);
  // A parent that may not be seen, or was gone when it was looked at, says no more than a reaper.
  const top =
    chain.find(({ parent }) => isReaper(seen.get(parent))) ??
    (last !== undefined && last.parent > 0 ? last : undefined);
  if (top === undefined) return null;
  if (self.session === null) return top === self && !self.hasTerminal ? LEFT : null;
  // What a machine's first process starts itself may stay in session 0, which nobody leads.
  if (self.session !== 0) {
    const leader = seen.get(self.session);
    if (leader === undefined) return LEFT;
    const isKept = MULTIPLEXERS.test(nameOf(top)) && !hasClient(top, chain, search);
    // Whose own session it is made the terminal for nobody: a shell that a machine's first process starts is a person's.
    const isMade = top !== leader && TERMINAL_MAKERS.test(nameOf(top));
    if (leader.hasTerminal && !isKept && !isMade) {
      const holder = judgeHolders(leader, top, { chain, search });
      if (holder !== "unknown") return holder === "agent" ? HELD : null;
    } else {
      const isLed = top.session === 0 || seen.has(top.session ?? 0);
      if (!isLed || (leader === self && top === self)) return LEFT;
      if (top.session !== 0 && top.session !== top.pid && leader.pid !== 1) return null;
    }
  }
  // Services are their own leaders too; an agent that was there before and is not one of theirs made this one.
  const running = search.others.list();
  const maker = running.find(
    (one) => search.isAgent(one) && one.startedAt <= top.startedAt && !isBelow(one, top, running),
  );
  return maker === undefined ? null : `\`${nameOf(maker)}\` runs beside it and may have started it`;
}

const HELD = "its terminal is held by a program that no person started";

/**
 * Who types into the terminal. A person's is held by the program above the shell, or by nobody who can be seen; held from
 * aside, the holder must be a person's itself. One that nobody started who lives may be anybody's.
 */
function judgeHolders(
  leader: SeenProcess,
  top: SeenProcess,
  { chain, search }: { readonly chain: readonly SeenProcess[]; readonly search: OrphanSearch },
): "person" | "agent" | "unknown" {
  const above = chain.slice(chain.indexOf(leader) + 1).map(({ pid }) => pid);
  const holders = search.others.listHolders(leader.pid, above);
  const isAbove = holders.some(([one]) => above.includes(one?.pid ?? 0));
  if (isAbove) {
    const isTop = holders.some(([one]) => one?.pid === top.pid);
    return isTop && !MULTIPLEXERS.test(nameOf(top)) ? "unknown" : "person";
  }
  return holders.every((one) => isOfPerson(one, search)) ? "person" : "agent";
}

/** Whether what a process does is a person's, by the same rules. */
function isOfPerson(chain: readonly SeenProcess[], search: OrphanSearch): boolean {
  const [one] = chain;
  // It has ended since.
  if (one === undefined) return true;
  if (search.looked.has(one.pid)) return false;
  search.looked.add(one.pid);
  const isMade = chain.some((each) => search.isAgent(each) || TERMINAL_MAKERS.test(nameOf(each)));
  return !isMade && findOrphan(chain, one, search) === null;
}

/** Programs whose server has its clients' terminals open itself; of others it is not known which client is whose. */
const HOLDS_TERMINALS = /^(?:tmux|screen|SCREEN|byobu)$/;

/**
 * Whether a person looks at what a multiplexer keeps: by a client at a terminal that is a person's by the same rules, so
 * neither one that an agent's program made nor one in a multiplexer that nobody looks at.
 */
function hasClient(top: SeenProcess, chain: readonly SeenProcess[], search: OrphanSearch): boolean {
  const { others, looked } = search;
  if (looked.has(top.pid)) return false;
  looked.add(top.pid);
  const running = others.list();
  const known = new Map([...chain, ...running].map((one) => [one.pid, one]));
  const terminals = others.listTerminals(top.pid);
  const isLinked = ({ pid }: SeenProcess): boolean =>
    !HOLDS_TERMINALS.test(nameOf(top)) ||
    others.listTerminals(pid).some((name) => terminals.includes(name));
  return running.some((one) => {
    if (one.pid === top.pid || !one.hasTerminal || !MULTIPLEXERS.test(nameOf(one))) return false;
    if (!isLinked(one)) return false;
    return isOfPerson(chainOf(one, known), search);
  });
}

function chainOf(one: SeenProcess, known: ReadonlyMap<number, SeenProcess>): SeenProcess[] {
  const chain: SeenProcess[] = [];
  for (let at: SeenProcess | undefined = one; at && !chain.includes(at); at = known.get(at.parent))
    chain.push(at);
  return chain;
}

function isBelow(one: SeenProcess, top: SeenProcess, others: readonly SeenProcess[]): boolean {
  const parents = new Map(others.map(({ pid, parent }) => [pid, parent]));
  for (let at: number | undefined = one.pid; at !== undefined && at > 1; at = parents.get(at))
    if (at === top.pid) return true;
  return false;
}

const LEFT = "who started it has ended, and its session is nobody's";

const isReaper = (one: SeenProcess | undefined): boolean =>
  one !== undefined && (one.pid === 1 || REAPERS.has(nameOf(one)));

const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const nameOf = ({ words, program, pid }: SeenProcess): string =>
  baseName(words[0] ?? program ?? String(pid));

const INTERPRETERS = /^(?:node|nodejs|bun|deno|python[\d.]*|sh|bash|dash|zsh|env|ruby)$/;

/** The program itself, its link, or the script that an interpreter runs. */
function isAgentProgram({ words, program }: SeenProcess, signs: AgentSigns): boolean {
  const [first = "", ...rest] = words;
  const script = INTERPRETERS.test(baseName(first)) ? scriptOf(rest) : "";
  return [first, program ?? "", script].some((path) => isAgentPath(path, signs));
}

/** The file that an interpreter was given; a line behind `-c` is none, however it ends. */
function scriptOf(words: readonly string[]): string {
  const at = words.findIndex((word) => !word.startsWith("-"));
  const isLine = words.slice(0, at).some((word) => /^-[abd-z]*c[a-z]*$/i.test(word));
  return isLine ? "" : (words[at] ?? "");
}

function isAgentPath(path: string, { programs, packages }: AgentSigns): boolean {
  const name = baseName(path).replace(/\.(?:exe|[cm]?js|ts|py|sh)$/, "");
  if (programs.has(name)) return true;
  return packages.some((folder) => path.includes(`/node_modules/${folder}`));
}

let known: { readonly signs: AgentSigns; readonly why: string | null } | null = null;

/** The same of this process, looked at once: nobody gets other ancestors but an orphan, and that is said at once. */
export function whyBelowAgent(signs: AgentSigns, stateDir: string | null = null): string | null {
  if (known?.signs !== signs) known = { signs, why: lookAbove(signs, stateDir) };
  return known.why;
}

function lookAbove(signs: AgentSigns, stateDir: string | null): string | null {
  const others = { list: listGroupProcesses, listTerminals, listHolders };
  const why = findAgentAncestor(readAncestry(), signs, others);
  if (why !== null || stateDir === null) return why;
  if (!readNamespaces().isFirstPid && belongsToMachine(stateDir)) return APART;
  markMachine(stateDir);
  return null;
}

const APART = "it runs in a PID namespace of its own, from where nobody can see who started it";
