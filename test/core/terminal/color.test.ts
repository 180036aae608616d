import { describe, expect, test } from "vitest";
import { wantsColor } from "../../../src/core/terminal/color.ts";
import { parseInvocation } from "../../../src/core/terminal/invocation.ts";
import { catchFault } from "../command/catch-fault.ts";

const TERMINAL = { choice: "auto", env: { TERM: "xterm" }, isTerminal: true } as const;

describe("colour", () => {
  // biome-ignore format: a table, one line each
  test.each<[what: string, facts: Partial<Parameters<typeof wantsColor>[0]>, is: boolean]>([
    ["on a terminal", {}, true],
    ["in a pipe", { isTerminal: false }, false],
    ["on a dumb terminal", { env: { TERM: "dumb" } }, false],
    ["with NO_COLOR", { env: { NO_COLOR: "1" } }, false],
    ["with an empty NO_COLOR", { env: { NO_COLOR: "" } }, true],
    ["with FORCE_COLOR in a pipe", { isTerminal: false, env: { FORCE_COLOR: "1" } }, true],
    ["with FORCE_COLOR=0", { env: { FORCE_COLOR: "0" } }, false],
    ["with NO_COLOR and FORCE_COLOR", { env: { NO_COLOR: "1", FORCE_COLOR: "1" } }, false],
    ["with --color always, whatever else", { choice: "always", isTerminal: false, env: { NO_COLOR: "1" } }, true],
    ["with --color never", { choice: "never", env: { FORCE_COLOR: "1" } }, false],
  ])("%s", (_, facts, is) => {
    expect(wantsColor({ ...TERMINAL, ...facts })).toBe(is);
  });

  test("`--color` takes one of three words", () => {
    const colorOf = (...words: string[]) => {
      const invocation = parseInvocation([...words, "runs"]);
      return invocation.kind === "command" ? [invocation.name, invocation.options.color] : null;
    };
    expect(colorOf("--color", "always")).toEqual(["runs", "always"]);
    expect(colorOf("--color=never")).toEqual(["runs", "never"]);
    expect(colorOf()).toEqual(["runs", "auto"]);
    expect(catchFault(() => colorOf("--color", "red")).message).toBe(
      "`adj`: `--color` is `always`, `never` or `auto`, not `red`",
    );
  });
});
