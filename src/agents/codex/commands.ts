// Codex CLI's skills, as 0.166 reads them; its prompts in files are gone since 0.117.
import { join } from "node:path";
import type { NativeFormat } from "../native/format.ts";
import { SKILLS, skillSource } from "../native/markdown-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const folderOf = (scope: InstallScope, place: InstallContext): string =>
  scope === "project"
    ? join(place.root, ".agents", "skills")
    : join(agentHome(place, "CODEX_HOME", ".codex"), "skills");

export const codexFormat: NativeFormat = {
  ...SKILLS,
  agent: "codex",
  folderOf,
  skillsOf: folderOf,
  // Other agents read `.agents`, too; a project for codex alone has `.codex`.
  signsOf: (scope, place) =>
    scope === "project"
      ? [join(place.root, ".codex"), join(place.root, ".agents")]
      : [agentHome(place, "CODEX_HOME", ".codex")],
  sourcesOf: (scope, place) => {
    const folders = [folderOf(scope, place)];
    if (scope === "user") folders.push(join(place.home, ".agents", "skills"));
    return folders.map(skillSource);
  },
};
