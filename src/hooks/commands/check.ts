// What `adj doctor` tells of hooks: the files in force, the trust they depend on, the resident.
import { installContextOf } from "../../agents/commands/install-target.ts";
import type { CommandContext } from "../../core/command/context.ts";
import type { Program } from "../../core/commands/bundled.ts";
import {
  attentionFinding,
  type Finding,
  noteFinding,
  okFinding,
  warningFinding,
} from "../../core/commands/finding.ts";
import { isAlive } from "../../core/process/identity.ts";
import { findDataDir } from "../../core/project/paths.ts";
import { inspectTrust } from "../../core/project/trust/inspect.ts";
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
