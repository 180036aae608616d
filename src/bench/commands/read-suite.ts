// The suite that the command line names, with what the command line says about it.
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadAdapters } from "../../agents/roster.ts";
import { fault } from "../../core/command/fault.ts";
import { didYouMean, nearestNames } from "../../core/command/names.ts";
import type { BundledContext, Program } from "../../core/commands/bundled.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { inspectTrust } from "../../core/project/trust/inspect.ts";
import { EVALUATORS } from "../evaluators/roster.ts";
import { findSandboxProblem } from "../sandbox/bubblewrap.ts";
import { loadSuite } from "../suite/load.ts";
import { selectTrials, unknownWords } from "../suite/plan.ts";
import type { Suite, SuiteAgent } from "../suite/suite.ts";
import { BENCH_ACTIONS, type BenchArguments } from "./arguments.ts";

/** Each is a row of its own from the start. */
const MAX_TRIALS = 1_000_000;

/** The suite with what the command line says about it. */
export async function readSuite(
  word: string,
  args: BenchArguments,
  bench: BundledContext,
): Promise<Suite> {
  const extra = args.words.find((one) => one !== word);
  if (extra !== undefined) throw tooManyWords(extra, args);
  const file = await findSuite(word, bench);
  const suite = loadSuite(file, {
    env: bench.context.env.forChild(),
    evaluators: EVALUATORS,
    adapters: await loadAdapters(),
  });
  const [unknown] = unknownWords(suite, args);
  if (unknown !== undefined) throw unknownWord(unknown, suite);
  const limits = { ...suite.limits, concurrency: args.concurrency ?? suite.limits.concurrency };
  const repeat = args.repeat ?? suite.repeat;
  const { agents, cases } = selectTrials(suite, args);
  const trials = agents.length * cases.length * repeat;
  if (trials > MAX_TRIALS)
    throw fault(
      "FileInvalid",
      { problem: `it comes to ${trials} trials, at most ${MAX_TRIALS} are allowed` },
      { where: { file } },
    );
  return { ...suite, agents: await settleSandboxes(agents, bench), cases, repeat, limits };
}

/** Where the suite leaves it open there is a sandbox if this machine can make one. */
async function settleSandboxes(
  agents: readonly SuiteAgent[],
  { context }: BundledContext,
): Promise<SuiteAgent[]> {
  const isAsked = agents.some(({ sandbox }) => sandbox.kind !== "none");
  const missing = isAsked ? await findSandboxProblem(context.env.forChild()) : null;
  return agents.map((agent) => {
    const { sandbox, id } = agent;
    const isMade = sandbox.kind !== "none" && missing === null;
    const isNeeded = sandbox.kind === "bwrap" || !sandbox.network;
    if (!isMade && isNeeded)
      throw fault(
        "InputInvalid",
        {
          what: `agent \`${id}\``,
          problem:
            missing ?? "`network: off` needs a sandbox, and there is none with `sandbox: none`",
        },
        {
          hint: "install bubblewrap, or let it run with your rights: `sandbox: none`, `network: on`",
        },
      );
    return { ...agent, sandbox: { ...sandbox, kind: isMade ? "bwrap" : "none", missing } };
  });
}

/** Two words are more often an action that is misspelt than two suites. */
function tooManyWords(extra: string, { subject }: BenchArguments): Error {
  const [nearest] = nearestNames(subject, BENCH_ACTIONS);
  return fault("ArgumentsInvalid", {
    command: "bench",
    problem:
      nearest === undefined || nearest === subject
        ? `\`${extra}\` is one too many: one suite at a time`
        : `it has no \`${subject}\`; did you mean \`${nearest}\`?`,
  });
}

function unknownWord(word: string, { agents, cases }: Suite): Error {
  const names = [...agents, ...cases].map(({ id }) => id);
  const known = [...new Set([...names, ...cases.flatMap(({ tags }) => tags)])];
  const question = didYouMean(word, known, 1);
  return fault(
    "ArgumentsInvalid",
    { command: "bench", problem: `\`--only ${word}\` names no case, tag or agent${question}` },
    question === "" ? { hint: `there are ${known.join(", ")}` } : {},
  );
}

// Which file a word on the command line means: a path, or the name of a suite of the project or the user.

const SUITE_FOLDER = "suites";

async function findSuite(word: string, { context, program }: BundledContext): Promise<string> {
  const file = pickFile(word, context.workingDirectory, program);
  if (!existsSync(file)) throw noSuite(word, file);
  if (statSync(file).isDirectory())
    throw fault(
      "FileInvalid",
      { problem: "the suite cannot be read: there is no `suite.yaml` in this folder" },
      { where: { file } },
    );
  if (file.startsWith(`${join(program.root, LAYER_FOLDER)}/`)) await requireTrust(file, program);
  return file;
}

/** One word that is no suite is often an action that is misspelt. */
function noSuite(word: string, file: string): Error {
  const [nearest] = nearestNames(word, BENCH_ACTIONS);
  const hint =
    nearest === undefined || nearest === word
      ? "a suite is a file, a folder with `suite.yaml`, or a name in `.adjutant/suites/`"
      : `did you mean \`adj bench ${nearest}\`?`;
  const problem = "the suite cannot be read: it does not exist";
  return fault("FileInvalid", { problem }, { where: { file }, hint });
}

/** What lies there comes first; a name is looked for in the project, then in the user's own folder. */
function pickFile(word: string, workingDirectory: string, { root, configDir }: Program): string {
  const named = resolve(workingDirectory, word);
  const isName = /^[\w.-]+$/.test(word) && !existsSync(named);
  const folders = isName ? [join(root, LAYER_FOLDER), configDir] : [];
  const benches = folders.flatMap((folder) => {
    const path = join(folder, SUITE_FOLDER, word);
    return [`${path}.yaml`, `${path}.yml`, path];
  });
  const found = [named, ...benches].find((bench) => existsSync(bench)) ?? named;
  const inside = join(found, "suite.yaml");
  return existsSync(inside) && statSync(found).isDirectory() ? inside : found;
}

/** A suite is a program: one of a project that nobody has looked at does not run. */
async function requireTrust(file: string, { root, stateDir }: Program): Promise<void> {
  const { kind } = await inspectTrust(root, stateDir, { file });
  if (kind === "trusted") return;
  const since = kind === "changed" ? "it changed since you trusted it; " : "";
  throw fault("Untrusted", { root }, { hint: `${since}look at it, then run \`adj trust\`` });
}
