import { describe, expect, test } from "vitest";
import { fault } from "../../../src/core/command/fault.ts";
import type { Interactor } from "../../../src/core/command/request.ts";
import {
  askAll,
  type ConsentFacts,
  decideConsent,
  interactorsOfPerson,
} from "../../../src/core/dispatch/consent.ts";

const FACTS: ConsentFacts = {
  name: "wipe",
  isDestructive: true,
  isForPerson: false,
  isYesGiven: false,
  isNamedByStage: false,
  isBelowAgent: false,
  isApproved: false,
  canAsk: false,
  hasInbox: false,
  isAtTerminal: false,
};
const GRANTING = { name: "approve", isForPerson: true };
const AT_TERMINAL = { canAsk: true, isAtTerminal: true };

describe("consent", () => {
  test.each<[facts: Partial<ConsentFacts>, decision: string]>([
    [{ isDestructive: false }, "granted"],
    [{ isDestructive: false, isBelowAgent: true }, "granted"],
    [{}, "refused: `--yes` allows it"],
    [{ canAsk: true }, "ask"],
    [AT_TERMINAL, "ask"],
    [{ isYesGiven: true }, "granted"],
    [{ isYesGiven: true, canAsk: true }, "granted"],
    [{ isApproved: true }, "granted"],
    [{ isNamedByStage: true }, "granted"],
    [{ ...GRANTING, isNamedByStage: true }, "refused: run it in a terminal"],
    [{ isBelowAgent: true }, "refused: run it yourself, outside the agent"],
    [{ isBelowAgent: true, isYesGiven: true }, "refused: run it yourself, outside the agent"],
    [{ isBelowAgent: true, ...AT_TERMINAL }, "refused: run it yourself, outside the agent"],
    [{ isBelowAgent: true, isApproved: true }, "granted"],
    [{ isBelowAgent: true, canAsk: true, hasInbox: true }, "ask"],
    [
      { ...GRANTING, isBelowAgent: true, canAsk: true, hasInbox: true },
      "refused: run it yourself, outside the agent",
    ],
    [{ ...GRANTING }, "refused: run it in a terminal"],
    [{ ...GRANTING, isYesGiven: true }, "refused: run it in a terminal"],
    [{ ...GRANTING, isApproved: true }, "refused: run it in a terminal"],
    [{ ...GRANTING, canAsk: true }, "refused: run it in a terminal"],
    [{ ...GRANTING, ...AT_TERMINAL }, "ask"],
    [{ ...GRANTING, ...AT_TERMINAL, isYesGiven: true }, "ask"],
    [
      { ...GRANTING, ...AT_TERMINAL, isBelowAgent: true },
      "refused: run it yourself, outside the agent",
    ],
    [{ ...GRANTING, isForPerson: false, isYesGiven: true }, "granted"],
  ])("with %j is %s", (facts, expected) => {
    const decision = decideConsent({ ...FACTS, ...facts });
    const hint = decision.kind === "refused" ? `: ${decision.fault.hint}` : "";
    expect(`${decision.kind}${hint}`).toBe(expected);
    if (decision.kind === "refused")
      expect(decision.fault).toMatchObject({ class: "Consent", code: "Required" });
  });
});

test("below an agent only the inbox is heard", () => {
  const never = async () => new Promise<never>(() => {});
  const terminal: Interactor = { name: "terminal", confirm: never, select: never, input: never };
  const inbox: Interactor = { ...terminal, name: "inbox", isInbox: true };
  expect(interactorsOfPerson(true, [terminal, inbox])).toEqual([inbox]);
  expect(interactorsOfPerson(false, [terminal, inbox])).toEqual([terminal, inbox]);
});

describe("several interactors", () => {
  const never = new Promise<never>(() => {});
  const answering = (answer: () => Promise<boolean>): Interactor => ({
    name: "one",
    confirm: answer,
    select: () => never,
    input: () => never,
  });
  const crashed = answering(() => Promise.reject(new Error("the page was closed")));
  const crashing = answering(() => {
    throw new Error("no terminal");
  });
  const silent = answering(() => never);
  const yes = answering(async () => true);
  const no = answering(async () => false);
  const nobody = () => fault("Required", { name: "wipe" });
  const ask = (...interactors: Interactor[]) => askAll(interactors, nobody).confirm("really?");

  test("the first answer wins", async () => {
    expect(await ask(silent, yes)).toBe(true);
    expect(await ask(no, silent)).toBe(false);
    expect(await ask(no, yes)).toBe(false);
  });

  test("a crashed one does not decide, neither way", async () => {
    expect(await ask(crashed, crashing, yes)).toBe(true);
    expect(await ask(crashed, no)).toBe(false);
  });

  test("when all have crashed the asker gets the last error, not an answer", async () => {
    await expect(ask(crashing, crashed)).rejects.toThrow("the page was closed");
  });

  test("when there is none nobody is asked", async () => {
    await expect(ask()).rejects.toMatchObject({ code: "Required" });
  });

  test("where there is no list to choose from, each is asked for by itself", async () => {
    const plain = { ...silent, confirm: async (question: string) => question.endsWith(" b") };
    const choose = (one: Interactor) => askAll([one], nobody).choose("which?", ["a", "b"]);
    expect(await choose(plain)).toEqual(["b"]);
    expect(await choose({ ...plain, choose: async () => ["a"] })).toEqual(["a"]);
  });
});
