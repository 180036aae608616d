import { setTimeout as pause } from "node:timers/promises";
import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, fail, ok } from "../../command/result.ts";
import { isAlive } from "../../process/identity.ts";
import { addressFile, type ResidentAddress } from "../../resident/address.ts";
import { readAddress } from "../../resident/claim.ts";
import { readHttpEntry } from "../../resident/http-entry.ts";
import { startResident, wantsResident } from "../../resident/start-resident.ts";
import { retireResident } from "../../resident/take-address.ts";
import type { Program } from "../program.ts";

const START_LIMIT_MS = 10_000;
const LOOK_MS = 20;

export function showResident(program: Program): CommandResult {
  const address = findLiving(program);
  if (address === null)
    return ok("no resident is running; the next hook of an agent starts one", { running: false });
  return ok(describe(address, program), factsOf(address));
}

export async function startOne(context: CommandContext, program: Program): Promise<CommandResult> {
  const env = context.env.forChild();
  const known = findLiving(program);
  if (known !== null && known.version === program.version)
    return ok(describe(known, program), factsOf(known));
  if (!wantsResident(env))
    return fail("there is no resident in CI or with `ADJ_RESIDENT=off`; unset them to start one");
  const { stateDir, version, entry } = program;
  await startResident({ stateDir, version, entry, env }, null);
  const address = await awaitLiving(program, context.signal);
  if (address === null)
    return fail(
      "the resident did not start; `ADJ_STATE_DIR` must be a folder of yours that can be written",
    );
  return ok(describe(address, program), factsOf(address));
}

export async function stopOne(program: Program): Promise<CommandResult> {
  const address = findLiving(program);
  if (address === null) return ok("no resident is running", { running: false });
  const isGone = await retireResident(addressFile(program.stateDir), address.serverKey);
  return isGone
    ? ok("the resident was stopped", { running: false })
    : fail(`the resident does not stop; end process ${address.owner.pid} yourself`);
}

function findLiving({ stateDir }: Program): ResidentAddress | null {
  const address = readAddress(addressFile(stateDir));
  return address !== null && isAlive(address.owner) === true ? address : null;
}

async function awaitLiving(program: Program, signal: AbortSignal): Promise<ResidentAddress | null> {
  const until = performance.now() + START_LIMIT_MS;
  while (performance.now() < until) {
    const address = findLiving(program);
    if (address?.version === program.version) return address;
    await pause(LOOK_MS, undefined, { signal });
  }
  return null;
}

function describe({ version, owner }: ResidentAddress, { stateDir }: Program): string {
  const http = readHttpEntry(stateDir);
  const door = http === null ? "" : `, HTTP hooks on port ${http.port}`;
  return `resident ${version} is running as process ${owner.pid}${door}`;
}

const factsOf = ({ version, owner, port }: ResidentAddress) => ({
  running: true,
  version,
  pid: owner.pid,
  port,
});
