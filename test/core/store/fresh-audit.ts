import { onTestFinished } from "vitest";
import { openAudit } from "../../../src/core/store/audit.ts";
import type { AuditStore } from "../../../src/core/store/stores.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** An audit of the running test's own, closed when it ends. */
export function openFreshAudit(): { readonly audit: AuditStore; readonly folder: string } {
  const folder = temporaryFolder();
  return { audit: openAuditUntilEnd(folder), folder };
}

export function openAuditUntilEnd(folder: string): AuditStore {
  const audit = openAudit(folder);
  onTestFinished(() => audit.close());
  return audit;
}
