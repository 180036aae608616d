import { safeParse } from "zod/v4/core";
import { describeIssues } from "../../config/schema-problem.ts";
import { brokenAt, type ConfigText, offsetOf, readValue } from "./config-text.ts";
import type { EntryInstaller } from "./installer.ts";

/**
 * The agent's own rules, before anything is written: one malformed entry can void a whole file, deny rules
 * included (claude-code 2.1.325), and then ours would not run either.
 */
export function checkConfig(config: ConfigText, { agent, schema }: EntryInstaller): void {
  const checked = safeParse(schema, readValue(config), { reportInput: true });
  if (checked.success) return;
  const { path, message } = describeIssues(checked.error.issues, schema);
  const place = path.map(String).join(".");
  throw brokenAt(
    config,
    offsetOf(config, path),
    `${message} at \`${place}\`; \`${agent}\` would not take the file`,
  );
}
