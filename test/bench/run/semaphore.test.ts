import { expect, test } from "vitest";
import { createSemaphore } from "../../../src/bench/run/trial.ts";

const never = new AbortController().signal;

test("so many are let through at once, the others in the order they came", async () => {
  const semaphore = createSemaphore(2);
  const inside: string[] = [];
  const enter = async (name: string) => {
    const release = await semaphore.acquire(never);
    inside.push(name);
    return release;
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
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire(never);
  const away = new AbortController();
  const called = semaphore.acquire(away.signal);
  const patient = semaphore.acquire(never);
  away.abort();
  expect(await called).toBeNull();
  release?.();
  expect(await patient).not.toBeNull();
  expect(await semaphore.acquire(away.signal)).toBeNull();
});
