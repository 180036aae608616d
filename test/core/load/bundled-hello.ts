import { commandOf } from "../../../src/bundled-summaries.ts";
import type { CommandDefinition } from "../../../src/core/command/definition.ts";
import { layerOf } from "../../../src/core/command/registry.ts";
import { ok } from "../../../src/core/command/result.ts";
import type { Bundled } from "../../../src/core/load/layers.ts";

const HELLO: CommandDefinition = {
  description: "bundled hello",
  aliases: ["hi"],
  run: () => ok("hello from the bundle"),
};

/** A bundled layer of one command. */
export function bundledHello(): Bundled {
  const command = commandOf(HELLO, "hello");
  const entry = {
    kind: "command",
    name: "hello",
    file: "bundled",
    summary: command.summary,
  } as const;
  return { layer: layerOf("bundled", [entry]), load: async () => command };
}
