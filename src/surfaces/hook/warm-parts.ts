// What the resident answers hooks with: what a cold call opens, kept open, and looked at again when it changed.
import { join } from "node:path";
import { fingerprint } from "../../config/fingerprint.ts";
import type { HookParts } from "../../hooks/hook-parts.ts";
import type { DeskPlace, VirtualDesk } from "../../hooks/virtual/virtual-desk.ts";
import { stampPlace } from "../../resident/place-stamp.ts";
import { openAudit } from "../../storage/audit.ts";
import type { AuditStore } from "../../storage/stores.ts";
import { makeColdParts } from "./cold-parts.ts";
import { openLayersDesk } from "./layers-desk.ts";
import { createWarmRunner } from "./warm-runner.ts";

export interface WarmParts extends HookParts {
  close(): Promise<void>;
}

export function makeWarmParts(): WarmParts {
  const runner = createWarmRunner();
  const audits = keepAudits();
  runner.warmUp();
  return {
    ...makeColdParts(),
    openDesk: keepDesks(),
    runVirtual: runner.runVirtual,
    record: (stateDir, events) => {
      if (events.length === 0) return;
      const audit = audits.open(stateDir);
      for (const event of events) audit.append(event);
    },
    close: async () => {
      await runner.close();
      audits.close();
    },
  };
}

const MOST_DESKS = 16;

function keepDesks(): HookParts["openDesk"] {
  const kept = new Map<string, { readonly stamp: string; readonly desk: VirtualDesk }>();
  return async (place: DeskPlace) => {
    const stamp = stampPlace(place);
    if (stamp === null) return openLayersDesk(place);
    const key = JSON.stringify([place.paths, place.root, place.cwd]);
    const known = kept.get(key);
    kept.delete(key);
    const desk = known?.stamp === stamp ? known.desk : await openLayersDesk(place);
    kept.set(key, { stamp, desk });
    const [oldest] = kept.keys();
    if (kept.size > MOST_DESKS && oldest !== undefined) kept.delete(oldest);
    return desk;
  };
}

/** One per state folder; opened anew when somebody took the file away. */
function keepAudits() {
  const kept = new Map<string, { readonly audit: AuditStore; readonly inode: string }>();
  const inodeOf = (stateDir: string) =>
    fingerprint(join(stateDir, "audit.db"))?.split(":")[0] ?? "none";
  return {
    open: (stateDir: string): AuditStore => {
      const known = kept.get(stateDir);
      if (known?.inode === inodeOf(stateDir)) return known.audit;
      known?.audit.close();
      kept.delete(stateDir);
      const audit = openAudit(stateDir);
      kept.set(stateDir, { audit, inode: inodeOf(stateDir) });
      return audit;
    },
    close: () => {
      for (const { audit } of kept.values()) audit.close();
    },
  };
}
