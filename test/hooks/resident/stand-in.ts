// A home with the client installed and a small program behind it that answers warm and cold alike.
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { isAlive } from "../../../src/core/process/identity.ts";
import {
  addressFile,
  type ResidentAddress,
  readAddress,
} from "../../../src/hooks/resident/address.ts";
import { installClient } from "../../../src/hooks/resident/client.ts";
import { type Printed, run, type Started, start } from "../../program/adj.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const PROGRAM = join(import.meta.dirname, "fixtures", "stand-in.ts");

export interface StandInHome {
  readonly folder: string;
  readonly stateDir: string;
  readonly dataDir: string;
  readonly client: string;
  readonly env: NodeJS.ProcessEnv;
  /** The client, as an agent calls it. */
  call(asked: object, env?: NodeJS.ProcessEnv): Promise<Printed>;
  startCall(asked: object): Started;
  /** The same without a client. */
  callCold(asked: object, env?: NodeJS.ProcessEnv): Promise<Printed>;
  /** Starts a resident of its own and waits until it can be reached. */
  startResident(env?: NodeJS.ProcessEnv): Promise<Started>;
  /** Starts one and waits for nothing. */
  launch(env?: NodeJS.ProcessEnv): Started;
  address(): ResidentAddress | null;
  log(): string[];
  /** Waits until exactly this was noted. */
  logged(lines: readonly string[]): Promise<void>;
}

export function makeStandIn(stateFolder?: string): StandInHome {
  const folder = realpathSync(temporaryFolder());
  const stateDir = stateFolder ?? join(folder, "state");
  mkdirSync(stateDir, { recursive: true });
  const program = join(folder, "adj");
  // Its callers have an environment of their own, and it would be compiled anew for each of them.
  const compiled = `NODE_COMPILE_CACHE='${process.env.NODE_COMPILE_CACHE}'`;
  writeFileSync(program, `#!/bin/sh\n${compiled} exec '${process.execPath}' '${PROGRAM}' "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(stateDir, "..", "code"), "1");
  const dataDir = join(folder, "data");
  const client = installClient(dataDir, program);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ADJ_STATE_DIR: stateDir,
    ADJ_DATA_DIR: dataDir,
  };
  const place = (asked: object, other: NodeJS.ProcessEnv = env) => ({
    cwd: folder,
    env: other,
    stdin: JSON.stringify(asked),
  });
  onTestFinished(() => endResident(stateDir));
  const home: StandInHome = {
    folder,
    stateDir,
    dataDir,
    client,
    env,
    call: (asked, other) =>
      run(client, ["claude-code", "PreToolUse"], place(asked, { ...env, ...other })),
    startCall: (asked) => start(client, ["claude-code", "PreToolUse"], place(asked)),
    callCold: (asked, other) =>
      run(
        program,
        ["hook", "claude-code"],
        place(asked, { ...env, ...other, ADJ_RESIDENT: "off" }),
      ),
    launch: (other) => {
      const words = ["resident", "serve"];
      const started = start(program, words, { cwd: "/", env: { ...env, ...other } });
      onTestFinished(() => void started.child.kill("SIGKILL"));
      return started;
    },
    startResident: async (other) => {
      const before = home.address()?.serverKey;
      const started = home.launch(other);
      await until(() => home.address() !== null && home.address()?.serverKey !== before);
      return started;
    },
    address: () => readAddress(addressFile(stateDir)),
    log: () => {
      const file = join(stateDir, "..", "log");
      return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    },
    logged: (lines) =>
      until(
        () => home.log().join("\n") === lines.join("\n"),
        () => `${lines} instead of ${home.log()}`,
      ),
  };
  return home;
}

/** A call may leave a resident running. */
async function endResident(stateDir: string): Promise<void> {
  const isStarting = () => existsSync(join(stateDir, "resident.starting"));
  await until(() => !isStarting()).catch(() => undefined);
  const address = readAddress(addressFile(stateDir));
  if (address !== null && isAlive(address.owner) === true)
    process.kill(address.owner.pid, "SIGKILL");
  rmSync(addressFile(stateDir), { force: true });
}

export async function until(isSo: () => boolean, what = () => `${isSo}`): Promise<void> {
  const end = performance.now() + 15_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`it never came to be: ${what()}`);
    await pause(10);
  }
}
