import * as z from "zod/mini";
import { HOME_VARIABLES } from "../../agents/roster.ts";
import { agentNamesArgument, defineBundled } from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "doctor",
  description: "Check that the hooks of each agent are in place, answer, and meet no others",
  category: "hooks",
  argumentHint: "[agent…]",
  examples: ["adj doctor", "adj doctor claude-code", "adj doctor --json"],
  // Hooks are called as the agent would call them, with all it has.
  inheritEnv: true,
  env: [...HOME_VARIABLES],
  textParts: ["findings"],
  args: z.strictObject({
    agents: agentNamesArgument("which agents; all by default"),
  }),
  run: async ({ agents }, context, program) => {
    const { examine } = await import("../doctor/examine.ts");
    return examine(agents, context, program);
  },
});
