import { expect, test } from "vitest";
import { openGate } from "../../src/bench/trials/gate.ts";

const never = new AbortController().signal;

test("so many are let through at once, the others in the order they came", async () => {
  const gate = openGate(2);
  const inside: string[] = [];
  const enter = async (name: string) => {
    const leave = await gate.enter(never);
    inside.push(name);
    return leave;
  };
  const [first] = await Promise.all([enter("a"), enter("b")]);
  const third = enter("c");
  const fourth = enter("d");
  expect(inside).toEqual(["a", "b"]);
  first?.();
  (await third)?.();
  await fourth;
  expect(inside).toEqual(["a", "b", "c", "d"]);
});

test("whoever is called away while waiting takes nobody's place", async () => {
  const gate = openGate(1);
  const leave = await gate.enter(never);
  const away = new AbortController();
  const called = gate.enter(away.signal);
  const patient = gate.enter(never);
  away.abort();
  expect(await called).toBeNull();
  leave?.();
  expect(await patient).not.toBeNull();
  expect(await gate.enter(away.signal)).toBeNull();
});
