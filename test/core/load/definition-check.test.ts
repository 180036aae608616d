import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import { commandOf } from "../../../src/bundled-summaries.ts";
import { checkDefinition } from "../../../src/core/load/definition-check.ts";
import { SUMMARY_DEFAULTS } from "../../../src/core/load/summary.ts";
import { faultOf } from "../../support/faults.ts";

const run = () => null;
const IN = { name: "x", file: "x.ts" };

describe("a definition", () => {
  test("needs a description and something to run, the rest has defaults", () => {
    const command = checkDefinition({ description: "Do", run }, IN);
    expect(command.summary).toEqual({ ...SUMMARY_DEFAULTS, name: "x", description: "Do" });
    expect(command).toMatchObject({ args: null, parseArgs: null });
  });

  test("may repeat its name", () => {
    expect(checkDefinition({ name: "x", description: "Do", run }, IN).summary.name).toBe("x");
  });

  test.each([
    ["zod", z.object({ name: z.string().meta({ positional: 0 }) })],
    ["zod/mini", mini.object({ name: mini.string().check(mini.meta({ positional: 0 })) })],
  ])("may have its arguments described by %s", (_, args) => {
    const { summary, args: kept } = checkDefinition({ description: "Do", args, run }, IN);
    expect(kept).toBe(args);
    expect(summary.schema).toMatchObject({
      type: "object",
      properties: { name: { type: "string", positional: 0 } },
      required: ["name"],
    });
  });

  test("keeps its own `this`, arguments and answer", () => {
    const definition = {
      description: "Do",
      parseArgs: (line: string) => line.length,
      run(this: { description: string }, args: unknown) {
        return `${this.description} ${args}`;
      },
    };
    const command = checkDefinition(definition, IN);
    expect(command.parseArgs?.("four")).toBe(4);
    expect(command.run(3, {} as never)).toBe("Do 3");
  });

  test("of our own is taken without a check and comes to the same", () => {
    const definition = { description: "Do", timeout: "5s", args: z.object({}), run };
    expect(commandOf(definition as never, "x").summary).toEqual(
      checkDefinition(definition, IN).summary,
    );
  });
});

describe("what is wrong with a definition is said by its field", () => {
  test.each<[unknown, string]>([
    [null, "its default export is not a definition"],
    ["text", "its default export is not a definition"],
    [[], "its default export is not a definition"],
    [{}, "`description` is missing"],
    [{ description: "d" }, "`run` must be a function"],
    [{ description: 3, run }, "`description` must be text"],
    [{ description: " ", run }, "`description` must be one line of text"],
    [{ description: "a\nb", run }, "`description` must be one line of text"],
    [{ descripton: "d", run }, "unknown key `descripton`; did you mean `description`?"],
    [
      { description: "d", run, argument_hint: "x" },
      "unknown key `argument_hint`; did you mean `argumentHint`?",
    ],
    [{ description: "d", run: "echo" }, "`run` must be a function"],
    [{ description: "d", run, name: "y" }, "`name` is `y` but the file's name says `x`"],
    [{ description: "d", run, version: "1.0" }, "`version` must be a version such as `1.2.3`"],
    [
      { description: "d", run, effect: "writes" },
      "`effect` must be one of `read`, `write`, `exclusive`",
    ],
    [
      { description: "d", run, safety: "safe" },
      "`safety` must be one of `read_only`, `mutating`, `destructive`",
    ],
    [{ description: "d", run, timeout: 30 }, "`timeout` must be a duration such as `30s` or `10m`"],
    [{ description: "d", run, aliases: "y" }, "`aliases` must be a list"],
    [
      { description: "d", run, aliases: ["run"] },
      "entry 1 of `aliases` belongs to the program and cannot be an alias",
    ],
    [{ description: "d", run, env: ["1X"] }, "entry 1 of `env` is not the name of a variable"],
    [{ description: "d", run, args: {} }, "`args` must be a schema made with `z`"],
    [{ description: "d", run, args: z.string() }, "`args` must be made with `z.object({ … })`"],
    [{ description: "d", run, parseArgs: 1 }, "`parseArgs` must be a function"],
    [{ description: "d", run, critical: "yes" }, "`critical` must be true or false"],
  ])("%j", async (exported, problem) => {
    const raised = await faultOf(() => checkDefinition(exported, IN));
    expect(raised).toMatchObject({
      class: "Config",
      code: "FileInvalid",
      message: `x.ts: ${problem}`,
    });
  });
});
