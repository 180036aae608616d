// Whether an agent, not a person, is asking. Variables say it, and can be taken away; who started the process cannot.
import type { Request } from "../command/request.ts";
import {
  type Ancestry,
  listBesides,
  readAncestry,
  type SeenProcess,
} from "../process/ancestors.ts";

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
const TERMINAL_MAKERS = /^(?:script|expect|unbuffer|socat|python[\d.]*|perl|ruby)$/;

/**
 * Why the process counts as below an agent, null where it does not. `listOthers` is asked only where nobody who lives
 * can be named as the one who started it.
 */
export function findAgentAbove(
  { chain, environments, isWholeMachine }: Ancestry,
  signs: AgentSigns,
  listOthers: () => readonly SeenProcess[],
): string | null {
  const [self, ...above] = chain;
  if (self === undefined) return null;
  const agent = above.find((one) => isAgentProgram(one, signs));
  if (agent !== undefined) return `\`${nameOf(agent)}\` (process ${agent.pid}) started it`;
  const names = [OWN_MARK, ...signs.marks];
  const mark = names.find((name) => environments.some((set) => isSetIn(set, name)));
  if (mark !== undefined) return `\`${mark}\` is set for a process that started it`;
  if (self.session === 0 && !isWholeMachine) return "its session was left behind";
  return findOrphan(chain, self, listOthers, (one) => isAgentProgram(one, signs));
}

const isSetIn = (entry: string, name: string): boolean =>
  entry.startsWith(`${name}=`) && entry.length > name.length + 1;

/** A process whose starter has ended was given to another: what started it can only be guessed. */
function findOrphan(
  chain: readonly SeenProcess[],
  self: SeenProcess,
  listOthers: () => readonly SeenProcess[],
  isAgent: (one: SeenProcess) => boolean,
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
    if (leader.hasTerminal && !TERMINAL_MAKERS.test(nameOf(top))) return null;
    const isLed = top.session === 0 || seen.has(top.session ?? 0);
    if (!isLed || (leader === self && top === self)) return LEFT;
    if (top.session !== 0 && top.session !== top.pid && leader.pid !== 1) return null;
  }
  // Services are their own leaders too; an agent that was there before and is not one of theirs made this one.
  const others = listOthers();
  const maker = others.find(
    (one) => isAgent(one) && one.startedAt <= top.startedAt && !isBelow(one, top, others),
  );
  return maker === undefined ? null : `\`${nameOf(maker)}\` runs beside it and may have started it`;
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
export function isAgentProgram({ words, program }: SeenProcess, signs: AgentSigns): boolean {
  const [first = "", ...rest] = words;
  const script = INTERPRETERS.test(baseName(first)) ? scriptOf(rest) : "";
  return [first, program ?? "", script].some((path) => isAgentPath(path, signs));
}

/** The file that an interpreter was given; a line behind `-c` is none, however it ends. */
function scriptOf(words: readonly string[]): string {
  const at = words.findIndex((word) => !word.startsWith("-"));
  const isLine = words.slice(0, at).some((word) => /^-[a-z]*c[a-z]*$/i.test(word));
  return isLine ? "" : (words[at] ?? "");
}

function isAgentPath(path: string, { programs, packages }: AgentSigns): boolean {
  const name = baseName(path).replace(/\.(?:exe|[cm]?js|ts|py|sh)$/, "");
  if (programs.has(name)) return true;
  return packages.some((folder) => path.includes(`/node_modules/${folder}`));
}

let known: { readonly signs: AgentSigns; readonly why: string | null } | null = null;

/** The same of this process, looked at once: nobody gets other ancestors but an orphan, and that is said at once. */
export function whyBelowAgent(signs: AgentSigns): string | null {
  if (known?.signs !== signs)
    known = { signs, why: findAgentAbove(readAncestry(), signs, listBesides) };
  return known.why;
}
