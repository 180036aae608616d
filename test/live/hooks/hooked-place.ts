// A home in which an agent CLI knows only the scripted model, and the built `adj` has rules and commands for it.
import { cpSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { quoteWord } from "../../../src/core/command/words.ts";
import { makeIsolatedHome } from "../../../src/sim/run-sim.ts";
import { ADJ, type Printed, run } from "../../program/adj.ts";
import { markRepository, temporaryFolder } from "../../support/temporary-folder.ts";
import type { LabAgent } from "../lab.ts";

export interface HookedPlace {
  readonly agent: LabAgent;
  readonly home: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  adj(...words: string[]): Promise<Printed>;
}

export interface PlaceOptions {
  readonly agent: LabAgent;
  /** Of the scripted model. */
  readonly url: string;
  readonly isResident: boolean;
}

const FIXTURES = join(import.meta.dirname, "fixtures");

export async function makeHookedPlace({
  agent,
  url,
  isResident,
}: PlaceOptions): Promise<HookedPlace> {
  // The scripts among the CLIs start with `env node`, which must be a new one; agents are told to type `adj`.
  const PATH = [dirname(process.execPath), dirname(ADJ), process.env.PATH].join(delimiter);
  const { CI: _, ...source } = process.env;
  const isolated = await makeIsolatedHome({ agent, url, source: { ...source, PATH } });
  onTestFinished(() => isolated.remove());
  const folder = temporaryFolder();
  const [workspace, config] = [join(folder, "project"), join(folder, "config")];
  cpSync(join(FIXTURES, "project"), workspace, { recursive: true });
  cpSync(join(FIXTURES, "config"), config, { recursive: true });
  markRepository(workspace);
  // Codex runs a login shell, for which the system sets another PATH.
  writeFileSync(join(isolated.home, ".profile"), `export PATH=${quoteWord(PATH)}\n`);
  const env = {
    ...isolated.env,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: config,
    ...(isResident ? {} : { ADJ_RESIDENT: "off" }),
  };
  const adj = (...words: string[]) => run(ADJ, words, { cwd: workspace, env });
  onTestFinished(async () => {
    await adj("resident", "stop");
  });
  return { agent, home: isolated.home, workspace, env, adj };
}
