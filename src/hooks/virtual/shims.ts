// Real programs for virtual commands, for lines that only a shell can run: a folder to be put on PATH, with a
// link `adj-NAME` for each command to one script that runs `adj run NAME`. The folder's path never changes.
import { appendFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { joinWords, quoteWord } from "../../core/command/words.ts";
import {
  fileErrorCode,
  makeFolder,
  readTextIfExists,
  replaceFile,
} from "../../core/project/files.ts";
import { pathToFileName } from "../../core/project/paths.ts";
import type { StepDecision } from "../../core/step/verdict.ts";
import type { ListedCommand, VirtualParts, VirtualStep } from "./virtual-step.ts";

interface ShimOptions {
  readonly stateDir: string;
  readonly root: string;
  readonly prefix: string;
  /** How this program is started, by absolute paths. */
  readonly program: readonly string[];
}

const SCRIPT = ".run";

export const shimFolder = ({ stateDir, root }: Pick<ShimOptions, "stateDir" | "root">): string =>
  join(stateDir, "shims", pathToFileName(root));

/** Leaves exactly these commands there and no others. */
export function replaceShims(options: ShimOptions, names: readonly string[]): void {
  const folder = shimFolder(options);
  addShims(options, names);
  const wanted = new Set([SCRIPT, ...names.map((name) => options.prefix + name)]);
  for (const entry of readdirSync(folder))
    if (!wanted.has(entry) && !entry.endsWith(".tmp")) rmSync(join(folder, entry), { force: true });
}

/** Adds these commands to those that are there. */
export function addShims(options: ShimOptions, names: readonly string[]): void {
  const folder = shimFolder(options);
  makeFolder(folder, 0o700);
  const script = join(folder, SCRIPT);
  const text = scriptText(options);
  if (readTextIfExists(script) !== text) replaceFile(script, text, 0o700);
  for (const name of names) link(join(folder, options.prefix + name));
}

/** The project is the one of the session, wherever the agent has gone since. */
const scriptText = ({ prefix, program, root }: ShimOptions): string => `#!/bin/sh
name=\${0##*/}
ADJ_PROJECT_ROOT=${quoteWord(root)}
export ADJ_PROJECT_ROOT
exec ${joinWords(program)} run "\${name#${prefix}}" "$@"
`;

function link(path: string): void {
  try {
    symlinkSync(SCRIPT, path);
  } catch (error) {
    if (fileErrorCode(error) !== "EEXIST") throw error;
  }
}

// How the folder of shims gets onto PATH. The session goes with it, so that `adj` inside means the agent's own.

interface ShimPath {
  readonly folder: string;
  readonly sessionId: string;
}

/** Holds for all of the line, pipes and lists included, and the exit code stays that of the line. */
export const prefixLine = (line: string, path: ShimPath): string => `${exportPath(path)}; ${line}`;

/** What an agent's environment file gets at session start, once. */
function appendShimPath(file: string, path: ShimPath): void {
  const line = `${exportPath(path)}\n`;
  if (readTextIfExists(file)?.includes(line) !== true) appendFileSync(file, line);
}

const exportPath = ({ folder, sessionId }: ShimPath): string =>
  `export PATH=${quoteWord(folder)}:"$PATH" ADJ_SESSION_ID=${quoteWord(sessionId)}`;

// Session start: the shims are put in order and onto PATH, and the agent learns what it can type.

export async function startVirtualSession(
  parts: VirtualParts,
  step: VirtualStep,
): Promise<StepDecision> {
  const { decision, context, agent, sessionId } = step;
  const catalog = await parts.openCatalog(context);
  const prefix = await catalog.prefix();
  const listed = await catalog.list();
  const { stateDir } = context.paths;
  const shims = { stateDir, root: context.root, prefix, program: parts.program };
  replaceShims(
    shims,
    listed.map(({ summary }) => summary.name),
  );
  const { shims: way, envFileVariable = "" } = agent.abilities;
  const envFile = context.env[envFileVariable];
  if (way === "env-file" && envFile)
    appendShimPath(envFile, { folder: shimFolder(shims), sessionId });
  const listing = describeCommands(listed, prefix);
  if (listing === null) return decision;
  return { ...decision, additionalContext: [...decision.additionalContext, listing] };
}

// What an agent is told at session start about the commands it can type.

const MAX_LISTED_BYTES = 2_048;

/** Null where there are none but the bundled ones, which every agent can do without. */
export function describeCommands(listed: readonly ListedCommand[], prefix: string): string | null {
  const own = listed.filter(({ layer }) => layer !== "bundled");
  if (own.length === 0) return null;
  const head = "Commands of this project and its user, to be typed in the shell like any program:";
  const lines = own.map((command) => describeListed(command, prefix));
  return [head, ...keepWithin(lines, MAX_LISTED_BYTES - size(head), prefix)].join("\n");
}

const describeListed = ({ summary }: ListedCommand, prefix: string): string => {
  const hint = summary.argumentHint === null ? "" : ` ${summary.argumentHint}`;
  return `${prefix}${summary.name}${hint} - ${summary.description}`;
};

/** The bytes of a line with the line break before it. */
const size = (line: string): number => Buffer.byteLength(line) + 1;

function keepWithin(lines: readonly string[], room: number, prefix: string): string[] {
  const total = lines.reduce((sum, line) => sum + size(line), 0);
  if (total <= room) return [...lines];
  const more = (left: number) => `and ${left} more: ${prefix}commands`;
  const kept: string[] = [];
  let used = size(more(lines.length));
  for (const line of lines) {
    used += size(line);
    if (used > room) break;
    kept.push(line);
  }
  return [...kept, more(lines.length - kept.length)];
}
