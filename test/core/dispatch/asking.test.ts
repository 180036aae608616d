import { describe, expect, test } from "vitest";
import type { Interactor } from "../../../src/core/command/request.ts";
import { ok } from "../../../src/core/command/result.ts";
import { describeOutcome, isEveryLeaseFree, makeGate, runProgram } from "./running-program.ts";
import { type Handler, SESSION, type TestCommand, type TestProgram } from "./test-program.ts";

/** Answers when its test says so. */
function makePerson() {
  const gate = makeGate();
  const answer = async <Answer>(value: Answer): Promise<Answer> => {
    await gate.pass();
    return value;
  };
  const interactor: Interactor = {
    name: "terminal",
    confirm: () => answer(true),
    select: (_, choices) => answer(choices.at(-1) ?? ""),
    input: () => answer("typed"),
  };
  return { gate, interactor };
}

const isHeld = (program: TestProgram): boolean =>
  program.sessions.list().some(({ id, holder }) => id === SESSION && holder !== null);

const setModel: Handler = async (_, { session }) => {
  await session.update((state) => ({ ...state, model: `${state.model ?? ""}+other` }));
  return ok();
};

describe("while a person is being asked", () => {
  const asking: Handler = async (_, { session, ask }) => {
    await session.update((state) => ({ ...state, model: `${state.model ?? ""}+asker` }));
    await ask.confirm("really?");
    return ok(String((await session.get()).model));
  };

  test("the lease is free, and the state is read again after", async () => {
    const { gate, interactor } = makePerson();
    const program = runProgram({
      act: { effect: "write", run: asking },
      other: { effect: "write", run: setModel },
    });
    const acting = program.send("act", { interactors: [interactor] });
    await gate.reached;
    expect(isHeld(program)).toBe(false);
    expect((await program.send("other")).kind).toBe("ok");
    gate.open();
    expect((await acting).result.output).toBe("+other+asker");
    expect(program.sessions.read(SESSION).model).toBe("+other+asker");
  });

  test("the lease is held by a command that says so", async () => {
    const { gate, interactor } = makePerson();
    const program = runProgram({
      act: { effect: "write", holdLeaseWhileAsking: true, run: asking },
      other: { effect: "write", run: setModel },
    });
    const acting = program.send("act", { interactors: [interactor] });
    await gate.reached;
    expect(isHeld(program)).toBe(true);
    const other = program.send("other");
    gate.open();
    expect((await acting).result.output).toBe("+asker");
    await other;
    expect(program.sessions.read(SESSION).model).toBe("+asker+other");
  });

  const nested: Handler = async (_, context) => {
    await context.session.update((state) => ({ ...state, agent: "outer" }));
    return (await context.dispatch({ name: "act" })).result;
  };

  test.each<[by: string, act: TestCommand]>([
    ["a command inside it", { run: asking, effect: "write" }],
    ["a reading command inside it", { run: async (_, { ask }) => ok(await ask.input("?")) }],
    ["the consent to a command inside it", { safety: "destructive" }],
  ])("the lease of a command is free also when the question is of %s", async (_, act) => {
    const { gate, interactor } = makePerson();
    const program = runProgram({ outer: { effect: "write", run: nested }, act });
    const acting = program.send("outer", { interactors: [interactor] });
    await gate.reached;
    expect(isHeld(program)).toBe(false);
    gate.open();
    expect(describeOutcome(await acting)).toBe("ok - 0");
    expect(program.sessions.read(SESSION).agent).toBe("outer");
    expect(isEveryLeaseFree(program)).toBe(true);
  });

  test("the lease stays with an outer command that holds it", async () => {
    const { gate, interactor } = makePerson();
    const program = runProgram({
      outer: { effect: "write", holdLeaseWhileAsking: true, run: nested },
      act: { effect: "write", run: asking },
    });
    const acting = program.send("outer", { interactors: [interactor] });
    await gate.reached;
    expect(isHeld(program)).toBe(true);
    gate.open();
    expect(describeOutcome(await acting)).toBe("ok - 0");
  });
});

describe("a question", () => {
  test("that nobody can answer may be caught, and the command still writes", async () => {
    const run: Handler = async (_, { session, ask }) => {
      const model = await ask.input("which?").catch(() => "default");
      await session.update((state) => ({ ...state, model }));
      return ok();
    };
    const program = runProgram({ act: { effect: "write", run } });
    expect(describeOutcome(await program.send("act"))).toBe("ok - 0");
    expect(program.sessions.read(SESSION).model).toBe("default");
  });

  test("that is not caught is refused, and says why", async () => {
    const run: Handler = async (_, { ask }) => ok(await ask.input("which?"));
    const program = runProgram({ act: { effect: "write", run } });
    const outcome = await program.send("act");
    expect(describeOutcome(outcome)).toBe("rejected Consent/Required 126");
    expect(outcome.error?.hint).toBe("run it in a terminal");
    expect(isEveryLeaseFree(program)).toBe(true);
  });

  test("of a command that an agent started does not reach the person", async () => {
    const { gate, interactor } = makePerson();
    gate.open();
    const run: Handler = async (_, { ask }) => ok(await ask.input("which?"));
    const program = runProgram({ act: { run } });
    const outcome = await program.send("act", { interactors: [interactor], agent: "codex" });
    expect(describeOutcome(outcome)).toBe("rejected Consent/Required 126");
    expect(outcome.error?.hint).toBe("run it yourself, outside the agent");
  });

  test("is recorded with its kind, its answer only as a shape", async () => {
    const { gate, interactor } = makePerson();
    gate.open();
    const run: Handler = async (_, { ask }) => {
      const answers = [
        await ask.confirm("sure?"),
        await ask.select("which?", ["a", "b"]),
        await ask.input("password?", { secret: true }),
      ];
      return ok(answers.join(" "));
    };
    const program = runProgram({ act: { run } });
    const { result } = await program.send("act", { interactors: [interactor] });
    expect(result.output).toBe("true b typed");
    const recorded = program.events("InteractionRaised", "InteractionAnswered");
    expect(recorded.map(({ data }) => data)).toEqual([
      { kind: "confirm", question: "sure?" },
      { kind: "confirm", answer: "boolean" },
      { kind: "select", question: "which?" },
      { kind: "select", answer: "string(1)" },
      { kind: "input", question: "password?" },
      { kind: "input", answer: "string(5)" },
    ]);
  });
});
