// Codex CLI's skills, as 0.166 reads them; its prompts in files are gone since 0.117.
import { join } from "node:path";
import type { NativeFormat } from "../native/format.ts";
import { SKILLS, skillSource } from "../native/markdown-text.ts";
import { agentHome, type InstallContext, type InstallScope } from "../steps/installer.ts";

const folderOf = (scope: InstallScope, target: InstallContext): string =>
  scope === "project"
    ? join(target.root, ".agents", "skills")
    : join(agentHome(target, "CODEX_HOME", ".codex"), "skills");

export const codexFormat: NativeFormat = {
  ...SKILLS,
  agent: "codex",
  folderOf,
  skillsOf: folderOf,
  // Other agents read `.agents`, too; a project for codex alone has `.codex`.
  signsOf: (scope, target) =>
    scope === "project"
      ? [join(target.root, ".codex"), join(target.root, ".agents")]
      : [agentHome(target, "CODEX_HOME", ".codex")],
  sourcesOf: (scope, target) => {
    const folders = [folderOf(scope, target)];
    if (scope === "user") folders.push(join(target.home, ".agents", "skills"));
    return folders.map(skillSource);
  },
};
