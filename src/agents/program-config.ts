import * as z from "zod/mini";
import type { ConfigPlace } from "./adapter.ts";
import type { AgentCapabilities } from "./capabilities.ts";
import { type ConfigCheck, type ConfigProblem, checkAgentConfig } from "./config-check.ts";
import { configSchema } from "./config-fields.ts";
import { freezeDeep } from "./freeze.ts";
import { asRecord } from "./json-fields.ts";

/** Only the program must have a name; an empty argument is an argument. */
const words = z
  .array(z.string("must be text"), "must be a list")
  .check(z.refine(([program]) => (program ?? "") !== "", "must name a program"));

/** The configuration of an agent that the user names by its `argv`: handed over as it is. */
export function checkProgramConfig(
  agent: string,
  capabilities: AgentCapabilities,
  raw: unknown,
  place: ConfigPlace,
): ConfigCheck {
  const { argv, ...rest } = asRecord(raw);
  const check = checkAgentConfig({ agent, schema: configSchema(), capabilities }, rest, place);
  const problems = [...findWordProblems(argv), ...(check.kind === "invalid" ? check.problems : [])];
  if (check.kind === "invalid" || problems.length > 0) return { kind: "invalid", problems };
  return freezeDeep({ kind: "valid", config: { ...check.config, own: { argv } } });
}

function findWordProblems(argv: unknown): ConfigProblem[] {
  const checked = words.safeParse(argv);
  if (checked.success) return [];
  return checked.error.issues.map(({ path, message }) => ({
    path: path.length === 0 ? "argv" : `argv[${String(path[0])}]`,
    message: argv === undefined ? "must name a program" : message,
  }));
}
