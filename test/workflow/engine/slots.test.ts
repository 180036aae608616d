import { expect, test } from "vitest";
import { CallSlots } from "../../../src/workflow/engine/slots.ts";

const request = (agent: string, more = {}) => ({
  ...{ agent, isFirst: false, signal: null, tryStart: () => true },
  ...more,
});

test("one that was started before goes before those that were not", async () => {
  const slots = new CallSlots(1);
  const order: string[] = [];
  const queue = (name: string, isFirst: boolean) =>
    slots.acquire(request("claude", { isFirst })).then(() => order.push(name));
  const first = queue("first", false);
  const rest = [queue("later", false), queue("again", true)];
  await first;
  slots.release();
  await rest[1];
  slots.release();
  await Promise.all(rest);
  expect(order).toEqual(["first", "again", "later"]);
});

test("an agent that may not start holds up only its own calls", async () => {
  let mayStart = false;
  const slots = new CallSlots(2);
  const held = slots.acquire(request("claude", { tryStart: () => mayStart }));
  expect(await slots.acquire(request("codex"))).toBe(true);
  expect(slots.waitingFor).toEqual(["claude"]);
  mayStart = true;
  slots.start();
  expect(await held).toBe(true);
  expect(slots.waitingFor).toEqual([]);
});

test("who waits can be called off, alone or with all", async () => {
  const slots = new CallSlots(1);
  await slots.acquire(request("claude"));
  const controller = new AbortController();
  const { signal } = controller;
  const [alone, other] = [
    slots.acquire(request("claude", { signal })),
    slots.acquire(request("a")),
  ];
  controller.abort();
  expect(await alone).toBe(false);
  slots.close();
  expect(await other).toBe(false);
  expect(await slots.acquire(request("b"))).toBe(false);
});
