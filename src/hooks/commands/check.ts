// What `adj doctor` tells of hooks: the files in force, the trust they depend on, the resident; and `adj trust` of a file that is broken.
import { join } from "node:path";
import { installContextOf } from "../../agents/commands/install-target.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { Fault, formatFault } from "../../core/command/fault.ts";
import type { Program } from "../../core/commands/bundled.ts";
import {
  attentionFinding,
  type Finding,
  noteFinding,
  okFinding,
  warningFinding,
} from "../../core/commands/finding.ts";
import { isAlive } from "../../core/process/identity.ts";
import { readText } from "../../core/project/files.ts";
import { findDataDir, LAYER_FOLDER } from "../../core/project/paths.ts";
import { inspectTrust } from "../../core/project/trust/inspect.ts";
import { parseHooksFile } from "../pipeline/file.ts";
import { loadHookSet } from "../pipeline/set.ts";
import { addressFile, readAddress } from "../resident/address.ts";
import { hookProgramContext, listMissingPrograms } from "./missing-program.ts";

export async function check(program: Program, context: CommandContext): Promise<Finding[]> {
  const { env, home } = installContextOf(context, program);
  const dataDir = findDataDir(env, home);
  const set = await loadHookSet({ paths: program, root: program.root, dataDir });
  const missing = await listMissingPrograms(set.rules, hookProgramContext(context, program));
  const isUntrusted = (await inspectTrust(program.root, program.stateDir)).kind === "untrusted";
  return [
    ...set.broken.map(({ where, problem }) =>
      attentionFinding(`${where}: ${problem}`, "until it is mended no tool runs"),
    ),
    // A guard that is there but does not count is no small matter.
    ...set.warnings.map((text) =>
      isUntrusted && text === set.notice
        ? attentionFinding(text, "until then they do not guard")
        : warningFinding(text),
    ),
    ...missing.map((text) => attentionFinding(text, "put it there, or take the rule out")),
    okFinding(`${set.rules.length} hook rules in force; see \`adj hooks list\``),
    ...(await checkTrust(program)),
    checkResident(program),
  ];
}

const MEND_FIRST =
  "mend it first: trusted like this it lets no tool run, or leaves in force what it said before";

/** Before a project is trusted, for what its file of hooks would do then. */
export function noteBrokenFile({ root }: Pick<Program, "root">): string[] {
  const folder = join(root, LAYER_FOLDER);
  const file = `${LAYER_FOLDER}/hooks.yaml`;
  try {
    const text = readText(join(root, file), file);
    if (text !== null)
      parseHooksFile(text, { file, layer: "project", folder, workingFolder: folder });
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [formatFault({ message: formatFault(error), hint: MEND_FIRST })];
  }
}

async function checkTrust({ root, stateDir }: Program): Promise<Finding[]> {
  const { kind } = await inspectTrust(root, stateDir);
  return kind === "none" ? [] : [noteFinding(`the project ${root} is ${kind}`)];
}

function checkResident({ stateDir, version }: Program): Finding {
  const address = readAddress(addressFile(stateDir));
  if (address === null || isAlive(address.owner) !== true)
    return noteFinding("no resident is running; the next call of a hook starts one");
  return address.version === version
    ? okFinding(`the resident is running, process ${address.owner.pid}`)
    : noteFinding(`the resident is of version ${address.version}; the next call replaces it`);
}
