import { describe, expect, test } from "vitest";
import { agentEffects, echo, pathsOf, returned, runBody, value } from "./run-body.ts";

describe("fan-outs", () => {
  test("parallel gives results in the order of its thunks and null where one threw", async () => {
    const run = await runBody(
      `
      const results = await parallel([
        () => agent("slow"), () => agent("quick"), () => { throw new TypeError("at once") },
        async () => { await agent("then"); throw new Error("later") }, () => 7, () => agent("refused"),
      ]);
      return { results, none: await parallel([]) };`,
      {
        answer: async ({ effect }) => {
          const prompt = effect.kind === "agent" ? effect.prompt : "";
          if (prompt === "slow") await new Promise((resolve) => setTimeout(resolve, 20));
          return prompt === "refused" ? { kind: "thrown", message: "budget spent" } : value(prompt);
        },
      },
    );
    expect(returned(run)).toEqual({ results: ["slow", "quick", null, null, 7, null], none: [] });
    expect(run.log.toSorted()).toEqual([
      "warning: slot 2 of parallel() has null where it threw TypeError: at once",
      "warning: slot 3 of parallel() has null where it threw Error: later",
      "warning: slot 5 of parallel() has null where it threw Error: budget spent",
    ]);
  });

  test("pipeline takes each item through its stages; null goes on, a throw skips the rest", async () => {
    const run = await runBody(`
      return pipeline(["a", "b", "c"],
        (previous, item, index) => item === "b" ? null : agent(previous + index),
        (previous, item) => { if (item === "c") throw new Error("c"); return { previous, item } },
        (previous, item, index) => [previous, item, index]);`);
    expect(returned(run)).toEqual([
      [{ previous: "a0", item: "a" }, "a", 0],
      [{ previous: null, item: "b" }, "b", 1],
      null,
    ]);
    expect(run.log).toEqual(["warning: item 2 of pipeline() has null where it threw Error: c"]);
  });

  test("what is no list, no function, or too much is an error", async () => {
    const run = await runBody(`
      const tried = [
        () => parallel("x"), () => parallel([agent("started")]), () => parallel(new Array(4097).fill(() => 1)),
        () => pipeline(null), () => pipeline([1], "x"), () => pipeline(new Array(4097).fill(1)),
      ];
      const said = [];
      for (const attempt of tried) try { await attempt() } catch (error) { said.push(error.name + ": " + error.message) }
      return [said, (await parallel(new Array(4096).fill(() => 1))).length];`);
    expect(returned(run)).toEqual([
      [
        "TypeError: parallel() takes an array, not string",
        "TypeError: parallel() takes functions; number 1 is object",
        "RangeError: parallel() takes at most 4096 items, not 4097",
        "TypeError: pipeline() takes an array, not object",
        "TypeError: pipeline() takes functions; number 1 is string",
        "RangeError: pipeline() takes at most 4096 items, not 4097",
      ],
      4096,
    ]);
  });
});

test("a call has the phase of its moment, or its own, and every option that is known", async () => {
  const run = await runBody(`
    phase("Find");
    const first = agent("one");
    phase("Fix");
    await Promise.all([first, agent("two", { phase: "Other", label: "B", agent: "codex", model: "opus", effort: "high",
      schema: { type: "object" }, isolation: "worktree", agentType: "tester", stallMs: 5, colour: 1, shape: 2 }),
      agent("three", { colour: 3, model: "inherit", label: undefined, schema: null })]);`);
  expect(run.phases).toEqual(["Find", "Fix"]);
  expect(agentEffects(run)).toMatchObject([
    { prompt: "one", phase: "Find", label: null, conversation: "fresh", stage: null },
    {
      ...{ prompt: "two", phase: "Other", label: "B", agent: "codex", model: "opus" },
      ...{ effort: "high", schema: { type: "object" }, isolation: "worktree", agentType: "tester" },
    },
    { prompt: "three", phase: "Fix", model: null, label: null, schema: null },
  ]);
  expect(run.log).toEqual([
    "warning: the unknown option `colour` of agent() is ignored",
    "warning: the unknown option `shape` of agent() is ignored",
  ]);
  expect(run.ending).toEqual({ kind: "returned", value: undefined, problems: [] });
});

test("what cannot be asked for is an error with name, message and stack", async () => {
  const run = await runBody(`
    const tried = [
      () => agent(), () => agent(["x"]), () => agent("x", "y"), () => agent("x", { schema: "y" }),
      () => agent("x", { schema: { type: "array" } }), () => agent("x", { isolation: "remote" }),
      () => agent("x", { model: 5 }), () => agent("x", { label: 1n }), () => adj.sleep("soon"), () => adj.ask(""),
      () => adj.command(""), () => adj.command("test", [{}]), () => workflow(5), () => workflow("other"),
    ];
    const said = [];
    for (const attempt of tried)
      try { await attempt(); said.push("done") } catch (error) {
        said.push(error.message);
        if (!(error instanceof Error) || !error.stack.includes("/project/workflow.js:")) said.push("no stack");
      }
    return said;`);
  expect(returned(run)).toEqual([
    "agent() needs a prompt, a text that is not empty",
    "agent() needs a prompt, a text that is not empty",
    "the options of agent() are an object",
    "`schema` of agent() is a JSON Schema, an object",
    "`schema` of agent() needs an object at its root, not `array`",
    '`isolation: "remote"` cannot be had here; use "worktree"',
    "`model` of agent() is a text, not number",
    "Do not know how to serialize a BigInt",
    'adj.sleep() takes a duration such as "90s", "2h" or "1d"',
    "adj.ask() needs a question",
    "adj.command() needs the name of a command",
    "the arguments of adj.command() are words, or an object by name",
    "workflow() takes a name or `{ scriptPath }`",
    "workflow() goes one level deep, and this is it",
  ]);
  expect(run.requests).toEqual([]);
});

test("adj asks for commands, people, sleep, time and chance", async () => {
  const run = await runBody(
    `
    return [await adj.command("test", ["a", 1]), await adj.command("test", { fast: true }), await adj.command("lint"),
      await adj.ask("Ship?"), await adj.ask("Which?", { choices: ["a", "b"] }), await adj.ask("Why?", { input: true }),
      await adj.sleep("2h"), await adj.sleep(5), await adj.now(), await adj.random()];`,
    {
      answer: ({ effect }) => (effect.kind === "now" ? value(1_700) : echo({ path: "", effect })),
    },
  );
  expect(run.requests.map(({ effect }) => effect)).toEqual([
    { kind: "command", name: "test", args: ["a", "1"] },
    { kind: "command", name: "test", args: { fast: true } },
    { kind: "command", name: "lint", args: [] },
    { kind: "ask", question: "Ship?", choices: [], isInput: false },
    { kind: "ask", question: "Which?", choices: ["a", "b"], isInput: false },
    { kind: "ask", question: "Why?", choices: [], isInput: true },
    { kind: "sleep", ms: 7_200_000 },
    { kind: "sleep", ms: 5 },
    { kind: "now" },
    { kind: "random" },
  ]);
  expect(returned(run)).toContain(1_700);
});

test("the budget counts output tokens, and a call that failed for good is null", async () => {
  const run = await runBody(
    `
    const before = [budget.total, budget.spent(), budget.remaining()];
    const one = await agent("one");
    const middle = budget.remaining();
    const two = await agent("two");
    return [before, one, middle, two, budget.spent(), budget.remaining()];`,
    {
      budgetTotal: 100,
      answer: ({ effect }) =>
        effect.kind === "agent" && effect.prompt === "one"
          ? { kind: "null", reason: "skipped", outputTokens: 30 }
          : value({ deep: [1, null] }, 90),
    },
  );
  expect(returned(run)).toEqual([[100, 0, 100], null, 70, { deep: [1, null] }, 120, 0]);
});

test("args are as they were given, none are undefined, and a script may set the names it is given", async () => {
  const given = { list: [1, "zwei", null], text: '{"a":1}' };
  const body = `
    const kind = typeof args;
    if (kind !== "undefined") { const kept = args; args = 5; return [kept, args, budget.total, budget.remaining() === Infinity] }
    return [kind];`;
  const [some, none] = await Promise.all([runBody(body, { args: given }), runBody(body)]);
  expect(returned(some)).toEqual([given, 5, null, true]);
  expect(returned(none)).toEqual(["undefined"]);
});

test("another workflow runs in its place: its value, its error, its path", async () => {
  const asked: unknown[] = [];
  const run = await runBody(
    `
    const one = await workflow("other", { a: 1 });
    const [two] = await parallel([() => workflow({ scriptPath: "x.js" })]);
    let three; try { await workflow("broken") } catch (error) { three = error.message }
    return [one, two, three];`,
    {
      path: "workflow#9",
      runChild: async (ref, args, path) => {
        asked.push([ref, args, path]);
        if (ref === "broken") return { kind: "threw", name: "TypeError", message: "no", stack: [] };
        return { kind: "returned", value: ref === "other" ? "value" : undefined, problems: [] };
      },
    },
  );
  expect(returned(run)).toEqual(["value", null, "workflow `broken` threw TypeError: no"]);
  expect(asked).toEqual([
    ["other", { a: 1 }, "workflow#9/workflow#0"],
    [{ scriptPath: "x.js" }, undefined, "workflow#9/parallel#0/0/workflow#0"],
    ["broken", undefined, "workflow#9/workflow#1"],
  ]);
});

test("a path names fan-out, slot and stage, whichever way the call is reached", async () => {
  const run = await runBody(`
    await agent("top");
    await Promise.all([agent("a"), agent("b")]);
    const inner = async (name) => { await agent(name); await parallel([() => agent(name + "!")]) };
    await parallel([
      () => pipeline([1, 2], (item) => agent("item" + item), () => inner("late")),
      async () => { await inner("x"); await agent("y").then(() => agent("z")); setTimeout(() => agent("timer"), 1); },
    ]);
    await Promise.all([parallel([() => agent("p")]), parallel([() => agent("q")])]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([1, 2].map(async (n) => { await agent("n" + n); return parallel([() => agent("m" + n)]) }));
    await parallel([() => agent("last")]);`);
  expect(pathsOf(run).toSorted()).toEqual(
    [
      ...["top @ ", "a @ ", "b @ ", "n1 @ ", "n2 @ "],
      ...["item1 @ parallel#0/0/pipeline#0/0/0", "item2 @ parallel#0/0/pipeline#0/1/0"],
      ...["late @ parallel#0/0/pipeline#0/0/1", "late @ parallel#0/0/pipeline#0/1/1"],
      "late! @ parallel#0/0/pipeline#0/0/1/parallel#0/0",
      "late! @ parallel#0/0/pipeline#0/1/1/parallel#0/0",
      ...["x @ parallel#0/1", "x! @ parallel#0/1/parallel#0/0", "y @ parallel#0/1"],
      ...["z @ parallel#0/1", "timer @ parallel#0/1"],
      ...["p @ parallel#1/0", "q @ parallel#2/0"],
      // Two flows that are nobody's fan-out have no number of their own: their calls differ by what they ask.
      ...["m1 @ parallel#3/0", "m2 @ parallel#3/0", "last @ parallel#3/0"],
    ].toSorted(),
  );
});
