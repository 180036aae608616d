import { dirname } from "node:path";
import type { AgentAdapter } from "../../agents/adapter.ts";
import { ROSTER } from "../../agents/roster.ts";
import { nearestNames } from "../../command/nearest-names.ts";
import type { YamlPath } from "../../config/yaml-file.ts";
import { placeAgentFiles } from "../agent-files.ts";
import type { SuiteAgent } from "../suite.ts";
import { checkBy, checkFilled, invalid, type PlacedEntry } from "./placed-entry.ts";
import { AGENT, type AgentEntry } from "./suite-schema.ts";

export function readAgent({ entry, label, at }: PlacedEntry): SuiteAgent {
  const given = checkBy(AGENT, entry, at);
  checkFilled({ model: given.model }, (key) => at([key]));
  const { type, config } =
    typeof given.agent === "string" ? { type: given.agent, config: {} } : given.agent;
  const adapter = ROSTER.find(({ name }) => name === type);
  if (adapter === undefined) throw unknownAgent(given, type, at);
  const settings = {
    ...config,
    ...given.config,
    ...(given.model === undefined ? {} : { model: given.model }),
  };
  checkSettings(adapter, settings, (path) => at(placeOf(path, given), "key"));
  const id = given.id ?? type;
  return {
    id: label === "" ? id : `${id}[${label}]`,
    agent: type,
    config: placeAgentFiles(settings, dirname(at([]).file)),
    concurrency: given.concurrency ?? null,
    ratePerMinute: given.rate_per_minute ?? null,
  };
}

function unknownAgent({ agent }: AgentEntry, type: string, at: PlacedEntry["at"]): Error {
  const names = ROSTER.map(({ name }) => name);
  const [nearest] = nearestNames(type, names);
  return invalid(
    `unknown agent \`${type}\`${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`,
    at(typeof agent === "string" ? ["agent"] : ["agent", "type"]),
    nearest === undefined ? `known are ${names.map((name) => `\`${name}\``).join(", ")}` : null,
  );
}

/** As far as it can be told without the agent's program. */
function checkSettings(
  adapter: AgentAdapter,
  settings: Readonly<Record<string, unknown>>,
  at: (path: string) => ReturnType<PlacedEntry["at"]>,
): void {
  const own = ["prompt", "prompt_file"].find((name) => settings[name] !== undefined);
  if (own !== undefined) throw invalid(`\`${own}\` belongs to a case`, at(own));
  const place = { agentVersion: null, isRoot: false, env: {} };
  const check = adapter.checkConfig({ ...settings, prompt: "any" }, place);
  const [first] = check.kind === "invalid" ? check.problems : [];
  if (first !== undefined) throw invalid(`\`${first.path}\`: ${first.message}`, at(first.path));
}

/** Where a setting is written that an adapter calls `allowed_tools[2]`. */
function placeOf(path: string, { agent, model, config = {} }: AgentEntry): YamlPath {
  const steps = path.split(/[.[\]]+/).filter(Boolean);
  const [first = ""] = steps;
  if (first === "model" && model !== undefined) return ["model"];
  const isInside = typeof agent !== "string" && !(first in config);
  return [...(isInside ? ["agent", "config"] : ["config"]), ...steps];
}
