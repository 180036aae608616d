import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import type { CommandContext } from "../../core/command/context.ts";
import { PERSON_USES } from "../../core/command/person.ts";
import { type CommandResult, fail, ok } from "../../core/command/result.ts";
import { defineBundled, type Program } from "../../core/commands/bundled.ts";
import { isAlive } from "../../core/process/identity.ts";
import {
  addressFile,
  type ResidentAddress,
  readAddress,
  retireResident,
} from "../resident/address.ts";
import { readHttpEntry } from "../resident/http-entry.ts";
import { startResident, wantsResident } from "../resident/start.ts";

const ACTIONS = {
  start: "Start the process that answers agents' hooks fast",
  status: "Say whether it runs, and since when",
  stop: "Stop it",
};

export default defineBundled({
  name: "resident",
  description: "Start, look at or stop the process that answers agents' hooks fast",
  category: "hooks",
  person: PERSON_USES.resident,
  argumentHint: "[start|status|stop]",
  examples: ["adj resident status", "adj resident stop"],
  // What it is started with is picked; see `residentEnvironment`.
  inheritEnv: true,
  args: z.strictObject({
    action: z._default(
      z
        .enum(["start", "status", "stop"])
        .check(z.meta({ positional: 0, plain: true, description: "what to do", actions: ACTIONS })),
      "status",
    ),
  }),
  run: async ({ action }, context, program) => {
    if (action === "start") return startOne(context, program);
    return action === "stop" ? stopOne(program) : showResident(program);
  },
});

const START_LIMIT_MS = 10_000;
const LOOK_MS = 20;

function showResident(program: Program): CommandResult {
  const address = findLiving(program);
  if (address === null)
    return ok("no resident is running; the next hook of an agent starts one", { running: false });
  return ok(describe(address, program), factsOf(address));
}

async function startOne(context: CommandContext, program: Program): Promise<CommandResult> {
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

async function stopOne(program: Program): Promise<CommandResult> {
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
  const listening = http === null ? "" : `, HTTP hooks on port ${http.port}`;
  return `resident ${version} is running as process ${owner.pid}${listening}`;
}

const factsOf = ({ version, owner, port }: ResidentAddress) => ({
  running: true,
  version,
  pid: owner.pid,
  port,
});
