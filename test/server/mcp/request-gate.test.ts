import { describe, expect, test } from "vitest";
import { RequestGate } from "../../../src/server/mcp/request-gate.ts";

const { signal } = new AbortController();

describe("requests of one client", () => {
  test("are under way so many at once, in the order in which they came", async () => {
    const gate = new RequestGate({ maxAtOnce: 3 });
    const begun: number[] = [];
    let [now, most] = [0, 0];
    const work = async (number: number) => {
      begun.push(number);
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
    };
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    await Promise.all(numbers.map((number) => gate.pass(signal, () => work(number))));
    expect(most).toBe(3);
    expect(begun).toEqual(numbers);
  });

  test("that fail, give up or are taken back hold nobody up", async () => {
    const gate = new RequestGate({ maxAtOnce: 1, patienceMs: 5 });
    const first = Promise.withResolvers<void>();
    const taken = new AbortController();
    const begun: string[] = [];
    const begin = (name: string) => async () => void begun.push(name);
    const held = gate.pass(signal, () => first.promise);
    const waiting = [
      gate.pass(signal, begin("late")),
      gate.pass(taken.signal, begin("taken back")),
    ].map((one) => expect(one).rejects.toThrow("this one was not begun"));
    taken.abort();
    await Promise.all(waiting);
    first.reject(new Error("broken"));
    await expect(held).rejects.toThrow("broken");
    await gate.pass(signal, begin("next"));
    expect(begun).toEqual(["next"]);
  });
});
