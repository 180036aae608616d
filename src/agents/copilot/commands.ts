// Copilot CLI's skills, as 1.0.102 reads them; it has no commands of its own.
import { join } from "node:path";
import type { NativeFormat } from "../native/format.ts";
import { SKILLS, skillSource } from "../native/markdown-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const folderOf = (scope: InstallScope, place: InstallContext): string =>
  scope === "project"
    ? join(place.root, ".github", "skills")
    : join(agentHome(place, "COPILOT_HOME", ".copilot"), "skills");

export const copilotFormat: NativeFormat = {
  ...SKILLS,
  agent: "copilot",
  folderOf,
  skillsOf: folderOf,
  // `.github` alone says nothing: workflows are kept there.
  signsOf: (scope, place) =>
    scope === "project"
      ? ["skills", "hooks", "copilot-instructions.md"].map((name) =>
          join(place.root, ".github", name),
        )
      : [agentHome(place, "COPILOT_HOME", ".copilot")],
  sourcesOf: (scope, place) => [skillSource(folderOf(scope, place))],
};
