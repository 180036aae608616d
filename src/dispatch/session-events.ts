import { maskSecrets } from "../command/secrets.ts";
import type { JsonValue, SessionState } from "../command/session-access.ts";
import { shapeOf } from "../command/shape.ts";
import type { NewEvent } from "./event.ts";

type Change = Pick<NewEvent, "type" | "data">;

const mask = (value: string | null): string | null => (value === null ? null : maskSecrets(value));
const shape = (value: JsonValue | undefined): string =>
  value === undefined ? "unset" : shapeOf(value);

/** What a committed change of the session is announced as. Values of params appear as shapes only. */
export function sessionChanges(before: SessionState, after: SessionState): Change[] {
  const changes: Change[] = [];
  if (before.agent !== after.agent)
    changes.push({
      type: "ProviderChanged",
      data: { from: mask(before.agent), to: mask(after.agent) },
    });
  if (before.model !== after.model)
    changes.push({
      type: "ModelChanged",
      data: { from: mask(before.model), to: mask(after.model) },
    });
  const paths = new Set([...Object.keys(before.params), ...Object.keys(after.params)]);
  for (const path of [...paths].sort()) {
    const [from, to] = [before.params[path], after.params[path]];
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    const redactedDelta = { from: shape(from), to: shape(to) };
    changes.push({
      type: "ParamsChanged",
      data: { paramPath: maskSecrets(path), sourceLayer: "session", redactedDelta },
    });
  }
  return changes;
}
