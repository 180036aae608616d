import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runSim, type SimEnding } from "../../src/sim/run-sim.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import type { LabCli } from "./lab.ts";
import { PROMPT } from "./scenarios.ts";

export interface Drive extends SimEnding {
  readonly workspace: string;
  /** What the CLI printed of the conversation, pieces joined. */
  readonly said: string;
  /** Everything there is to say when an assertion fails. */
  readonly account: string;
}

const TIME_LIMIT = 90_000;

/** Runs a real CLI in an empty workspace against a scenario, bounded in time. */
export async function driveCli(cli: LabCli, scenario: string): Promise<Drive> {
  const workspace = temporaryFolder();
  const file = join(temporaryFolder(), "scenario.yaml");
  writeFileSync(file, scenario);
  const ending = await runSim({
    file,
    command: cli.commandFor(PROMPT),
    cwd: workspace,
    // The scripts among the CLIs start with `env node`, which must be a new one.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    signal: new AbortController().signal,
    timeoutMs: TIME_LIMIT,
  });
  const output = Buffer.from(ending.process?.stdout ?? []).toString();
  const errors = Buffer.from(ending.process?.stderr ?? []).toString();
  const requests = ending.requests.map(({ number, kind, path, answered }) => ({
    number,
    kind,
    path,
    answered,
  }));
  const account = JSON.stringify(
    {
      report: ending.report,
      requests,
      ending: [ending.process?.kind, ending.process?.exitCode],
      output: output.slice(-4_000),
      errors: errors.slice(-4_000),
    },
    null,
    1,
  );
  return { ...ending, workspace, said: joinSaid(output), account };
}

const SAYING = new Set(["text", "content", "result"]);

/** All CLIs print JSON lines; where the words are differs, and gemini prints them in pieces. */
function joinSaid(output: string): string {
  let said = "";
  for (const line of output.split("\n").filter((text) => text.startsWith("{")))
    JSON.parse(line, (key, value) => {
      if (SAYING.has(key) && typeof value === "string") said += value;
      return value;
    });
  return said;
}
