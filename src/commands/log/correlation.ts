import { fault } from "../../command/fault.ts";
import type { AuditStore } from "../../storage/stores.ts";

/** The log shows the beginning of a correlation; that much is enough to ask for it. */
const SHORTEST = 4;
/** How far back a beginning is looked for. */
const MOST_SEARCHED = 100_000;

export function findCorrelation(audit: AuditStore, typed: string): string {
  const [exact] = audit.read({ correlationId: typed, last: 1 });
  if (exact !== undefined || typed.length < SHORTEST) return typed;
  const found = new Set<string>();
  for (const { correlationId } of audit.read({ last: MOST_SEARCHED }))
    if (correlationId.startsWith(typed)) found.add(correlationId);
  const [first = typed, ...others] = found;
  if (others.length === 0) return first;
  throw fault(
    "InputInvalid",
    { what: `\`${typed}\``, problem: `${found.size} correlations begin with it` },
    { hint: `give more of it: ${[...found].slice(0, 3).join(", ")}` },
  );
}
