import type { Feature } from "../core/commands/bundled.ts";

export const hooksFeature: Feature = {
  name: "hooks",
  commands: {
    hooks: () => import("./commands/hooks.ts"),
    install: () => import("./commands/install.ts"),
    resident: () => import("./commands/resident.ts"),
    uninstall: () => import("./commands/uninstall.ts"),
  },
  answersCommands: async (agent, context, program) => {
    const { installContextOf } = await import("../agents/commands/install-target.ts");
    const { areHooksInstalled } = await import("./install/look.ts");
    return areHooksInstalled(agent, installContextOf(context, program));
  },
  hasGuards: async (program, root) => {
    const { listGuardedSteps } = await import("./install/coverage.ts");
    const { loadHookSet } = await import("./pipeline/set.ts");
    return listGuardedSteps(await loadHookSet({ paths: program, root })).size > 0;
  },
  trustNotes: async (_, program) => (await import("./commands/check.ts")).noteBrokenFile(program),
  checks: () => import("./commands/check.ts"),
};
