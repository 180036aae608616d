// Adjutant's own side: hooks files, trust, the resident.
import { inspectTrust } from "../../config/trust.ts";
import type { HookSet } from "../../hooks/rule.ts";
import { isAlive } from "../../process/identity.ts";
import { addressFile } from "../../resident/address.ts";
import { readAddress } from "../../resident/claim.ts";
import type { Program } from "../program.ts";
import { attention, type Finding, fine, note, warning } from "./finding.ts";

export async function examineState(program: Program, set: HookSet): Promise<Finding[]> {
  return [
    ...set.broken.map(({ where, problem }) =>
      attention(`${where}: ${problem}`, "until it is mended no tool runs"),
    ),
    ...set.warnings.map((text) => warning(text)),
    fine(`${set.rules.length} hook rules in force; see \`adj hooks list\``),
    ...(await examineTrust(program)),
    examineResident(program),
  ];
}

async function examineTrust({ root, stateDir }: Program): Promise<Finding[]> {
  const { kind } = await inspectTrust(root, stateDir);
  return kind === "none" ? [] : [note(`the project ${root} is ${kind}`)];
}

function examineResident({ stateDir, version }: Program): Finding {
  const address = readAddress(addressFile(stateDir));
  if (address === null || isAlive(address.owner) !== true)
    return note("no resident is running; the next call of a hook starts one");
  return address.version === version
    ? fine(`the resident is running, process ${address.owner.pid}`)
    : note(`the resident is of version ${address.version}; the next call replaces it`);
}
