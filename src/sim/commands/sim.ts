import * as z from "zod/mini";
import {
  countArgument,
  defineBundled,
  textArgument,
  textsArgument,
} from "../../core/commands/bundled.ts";

export default defineBundled({
  name: "sim",
  description: "Serve a scripted model, or run a real agent CLI against it, offline",
  category: "agents",
  textParts: null,
  graceMs: 8_000,
  argumentHint: "<file> [-- program words…]",
  examples: ["adj sim answer.yaml -- claude -p 'say hello'", "adj sim answer.yaml --port 8080"],
  args: z.strictObject({
    file: z.string().check(z.meta({ positional: 0, file: true, description: "the scenario" })),
    command: textsArgument("the program to run, after `--`", { positional: "rest" }),
    port: countArgument("the port to serve on; any free one by default", { to: 65_535 }),
    timeout: textArgument("end the program after this long: `30s`", { plain: true }),
  }),
  run: async (args, context, program) => {
    const { playScenario } = await import("./play-scenario.ts");
    return playScenario(args, context, program);
  },
});
