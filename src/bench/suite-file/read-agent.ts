import { dirname } from "node:path";
import { ROSTER } from "../../agents/roster.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import { placeAgentFiles } from "../agent-files.ts";
import type { SuiteAgent } from "../suite.ts";
import { checkBy, invalid, type PlacedEntry } from "./placed-entry.ts";
import { AGENT } from "./suite-schema.ts";

/** The fields of the configuration are checked by the adapter when the plan is made. */
export function readAgent({ entry, label, at }: PlacedEntry): SuiteAgent {
  const given = checkBy(AGENT, entry, at);
  const { type, config } =
    typeof given.agent === "string" ? { type: given.agent, config: {} } : given.agent;
  const names = ROSTER.map(({ name }) => name);
  if (!names.includes(type)) {
    const [nearest] = nearestNames(type, names);
    const question = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
    throw invalid(
      `unknown agent \`${type}\`${question}`,
      at(typeof given.agent === "string" ? ["agent"] : ["agent", "type"]),
    );
  }
  const id = given.id ?? type;
  const own = { ...config, ...given.config };
  return {
    id: label === "" ? id : `${id}[${label}]`,
    agent: type,
    config: {
      ...placeAgentFiles(own, dirname(at([]).file)),
      ...(given.model === undefined ? {} : { model: given.model }),
    },
    concurrency: given.concurrency ?? null,
    ratePerMinute: given.rate_per_minute ?? null,
  };
}
