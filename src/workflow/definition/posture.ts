// `tools: { allow, ask, deny }` of a stage as rules in the language of `match`.
import type { JsonValue } from "../../core/command/context.ts";
import { TOOL_KINDS } from "../../core/step/envelope.ts";
import type { Permission } from "../../core/step/verdict.ts";
import { readMatch } from "../../hooks/match/read-match.ts";
import { suggest } from "./parse-expression.ts";
import type { StageReader } from "./stage-file.ts";
import type { StageEntry } from "./stage-schema.ts";
import type { Stage } from "./workflow.ts";

/** Strictest first. */
const ACTIONS = ["deny", "ask", "allow"] as const satisfies readonly Permission[];

export function readPosture(
  tools: NonNullable<StageEntry["tools"]>,
  reader: StageReader,
): Stage["posture"] {
  return ACTIONS.flatMap((action) =>
    (tools[action] ?? []).map((entry, index) => ({
      action,
      rule: readRule(entry, [...reader.path, "tools", action, index], reader),
    })),
  );
}

/** A word alone is a kind of tool. */
function readRule(
  entry: string | Readonly<Record<string, unknown>>,
  path: readonly PropertyKey[],
  reader: StageReader,
): JsonValue {
  if (typeof entry === "string") {
    const kind = TOOL_KINDS.find((one) => one === entry);
    if (kind !== undefined) return { kind };
    throw reader.complain(
      path,
      `\`${entry}\` is no kind of tool${suggest(entry, TOOL_KINDS)}`,
      `kinds are ${TOOL_KINDS.map((one) => `\`${one}\``).join(", ")}; one tool is \`{ tool: ${entry} }\``,
    );
  }
  const reading = readMatch(entry);
  if (reading.kind === "invalid") throw reader.complain(path, reading.problem);
  return Object.fromEntries(
    Object.entries(reading.match).map(([key, value]): [string, JsonValue] => [key, [...value]]),
  );
}
