import { expect, test } from "vitest";
import { LocalQueue } from "../../../src/core/store/local-queue.ts";

async function isReady(ready: Promise<void>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  return Promise.race([ready.then(() => true), late]);
}

test("one is ready when everybody before it has left, in whatever order they leave", async () => {
  const line = new LocalQueue();
  const [first, second, third] = [line.join("s1"), line.join("s1"), line.join("s1")];
  expect(await isReady(first.ready)).toBe(true);
  second.leave();
  expect(await isReady(third.ready)).toBe(false);
  first.leave();
  expect(await isReady(third.ready)).toBe(true);
});

test("lines of other sessions, and lines that have emptied, hold up nobody", async () => {
  const line = new LocalQueue();
  const first = line.join("s1");
  expect(await isReady(line.join("s2").ready)).toBe(true);
  first.leave();
  expect(await isReady(line.join("s1").ready)).toBe(true);
});
