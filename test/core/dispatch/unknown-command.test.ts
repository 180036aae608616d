import { describe, expect, test } from "vitest";
import { describeOutcome, runProgram } from "./running-program.ts";

describe("a name that no layer has", () => {
  test.each(["depoly", "constructor", "__proto__", "toString", "''"])(
    "%s is rejected, with one audit entry and no pair",
    async (line) => {
      const program = runProgram({ deploy: {}, model: {} });
      const outcome = await program.send(line, { surface: "cli" });
      expect(describeOutcome(outcome)).toBe("rejected Usage/CommandUnknown 127");
      const events = program.events();
      expect(events).toMatchObject([
        {
          type: "CommandUnknown",
          correlationId: outcome.correlationId,
          origin: { surface: "cli" },
          data: { name: line === "''" ? "" : line },
        },
      ]);
    },
  );

  test("comes with up to three suggestions and what to do next", async () => {
    const program = runProgram({ test: {}, rest: {}, best: {}, nest: {}, model: {} });
    const { error, result } = await program.send("tets");
    expect(error?.message).toBe("unknown command `tets`; did you mean `test`?");
    expect(result.errorOutput).toBe(
      "unknown command `tets`; did you mean `test`? list all with `adj commands`",
    );
    const { error: another } = await program.send("zest");
    expect(another?.message).toBe(
      "unknown command `zest`; did you mean `best` or `nest` or `rest`?",
    );
  });

  test("that is a secret pasted by mistake is masked in the record, not on the screen", async () => {
    const program = runProgram({});
    const secret = `sk-${"a1B2".repeat(10)}`;
    const { error } = await program.send(secret);
    expect(error?.message).toContain(secret);
    expect(program.events()[0]?.data).toEqual({ name: "[secret]" });
  });
});

describe("a line that cannot be read", () => {
  test("is rejected before any name is known: no event at all", async () => {
    const program = runProgram({ deploy: {} });
    const outcome = await program.send("deploy 'prod");
    expect(describeOutcome(outcome)).toBe("rejected Usage/QuoteUnclosed 2");
    expect(outcome.error?.message).toBe("unclosed single quote opened at column 8");
    expect(program.events()).toEqual([]);
  });

  test("is not repeated in the error when it was cancelled", async () => {
    const program = runProgram({ deploy: {} });
    const outcome = await program.send("deploy --token=hunter2 '", { signal: AbortSignal.abort() });
    expect(describeOutcome(outcome)).toBe("cancelled Cancelled/Cancelled 130");
    expect(outcome.error?.message).toBe("`deploy` was cancelled");
  });
});
