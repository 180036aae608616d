import { expect, test } from "vitest";
import { type ChoiceFacts, choose } from "../../../src/agents/choice/choice.ts";

test.each<[ChoiceFacts, string | null, string]>([
  [{ environment: "e", session: "s", settings: "c" }, "e", "environment"],
  [{ environment: "", session: "s", settings: "c" }, "s", "session"],
  [{ environment: undefined, session: "s", settings: "c" }, "s", "session"],
  [{ environment: undefined, session: null, settings: "c" }, "c", "settings"],
  [{ environment: undefined, session: null, settings: null }, null, "none"],
])("of %j %j counts, from the %s", (facts, value, source) => {
  expect(choose(facts)).toEqual({ value, source });
});
