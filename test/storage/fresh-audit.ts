import { onTestFinished } from "vitest";
import { openAudit } from "../../src/storage/audit.ts";
import type { AuditStore } from "../../src/storage/stores.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** An audit of the running test's own, closed when it ends. */
export function openFreshAudit(): { readonly audit: AuditStore; readonly folder: string } {
  const folder = makeTemporaryFolder();
  return { audit: openAuditUntilEnd(folder), folder };
}

export function openAuditUntilEnd(folder: string): AuditStore {
  const audit = openAudit(folder);
  onTestFinished(() => audit.close());
  return audit;
}
