// Copilot CLI's skills, as 1.0.102 reads them; it has no commands of its own.
import { join } from "node:path";
import type { NativeFormat } from "../native/format.ts";
import { SKILLS, skillSource } from "../native/markdown-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const folderOf = (scope: InstallScope, target: InstallContext): string =>
  scope === "project"
    ? join(target.root, ".github", "skills")
    : join(agentHome(target, "COPILOT_HOME", ".copilot"), "skills");

export const copilotFormat: NativeFormat = {
  ...SKILLS,
  agent: "copilot",
  folderOf,
  skillsOf: folderOf,
  // `.github` alone says nothing: workflows are kept there.
  signsOf: (scope, target) =>
    scope === "project"
      ? ["skills", "hooks", "copilot-instructions.md"].map((name) =>
          join(target.root, ".github", name),
        )
      : [agentHome(target, "COPILOT_HOME", ".copilot")],
  sourcesOf: (scope, target) => [skillSource(folderOf(scope, target))],
};
