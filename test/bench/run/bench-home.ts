// A suite in a home of its own, run by the built program. The agent of a case is the `agent.sh` in its workspace.
import { join } from "node:path";
import type { TrialResult } from "../../../src/bench/suite/trial.ts";
import { type Home, makeHome, type Printed } from "../../program/adj.ts";

export interface CaseFiles {
  /** What the agent does, as a script of the shell. */
  readonly agent: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly evaluators?: readonly object[];
  readonly entry?: Readonly<Record<string, unknown>>;
}

export interface SuiteFields {
  readonly repeat?: number;
  readonly limits?: object;
  readonly agents?: readonly object[];
  readonly post?: readonly object[];
  readonly sandbox?: "bwrap" | "none";
  readonly network?: "on" | "off";
  readonly mounts?: readonly string[];
}

export interface BenchOutcome extends Printed {
  readonly results: readonly TrialResult[];
  readonly metadata: Readonly<Record<string, unknown>>;
  result(caseId: string, repetition?: number): TrialResult;
}

export interface BenchHome extends Home {
  readonly suiteFile: string;
  bench(...words: string[]): Promise<BenchOutcome>;
}

export const SHELL_AGENT = { id: "shell", agent: "command", config: { argv: ["sh", "agent.sh"] } };

export function makeBenchHome(
  cases: Readonly<Record<string, CaseFiles>>,
  { agents = [SHELL_AGENT], limits = {}, ...fields }: SuiteFields = {},
): BenchHome {
  const home = makeHome();
  for (const [id, { agent, files = {} }] of Object.entries(cases))
    for (const [path, content] of Object.entries({ "agent.sh": agent, ...files }))
      home.write({ [`project/cases/${id}/${path}`]: content });
  const entries = Object.entries(cases).map(([id, { evaluators = [], entry = {} }]) => ({
    id,
    workspace: { template: `./cases/${id}` },
    prompt: "do it",
    evaluators,
    ...entry,
  }));
  // A map in JSON is one in YAML too.
  const suite = {
    name: "trials",
    agents,
    cases: entries,
    limits: { infra_retries: 0, timeout: "20s", ...limits },
    ...fields,
  };
  home.write({ "project/suite.yaml": JSON.stringify(suite) });
  return {
    ...home,
    suiteFile: join(home.project, "suite.yaml"),
    bench: async (...words) => readOutcome(await home.adj("--json", "bench", ...words)),
  };
}

export function readOutcome(printed: Printed): BenchOutcome {
  const { result } = JSON.parse(printed.stdout);
  const metadata = result.metadata ?? {};
  const results: readonly TrialResult[] = metadata.results ?? [];
  return {
    ...printed,
    metadata,
    results,
    result: (caseId, repetition = 1) => {
      const found = results.find((one) => one.caseId === caseId && one.repetition === repetition);
      if (found === undefined) throw new Error(`no result of ${caseId}: ${printed.stdout}`);
      return found;
    },
  };
}
