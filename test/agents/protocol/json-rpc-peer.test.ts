import { expect, test } from "vitest";
import { JsonRpcPeer } from "../../../src/agents/protocol/json-rpc-peer.ts";

function openPeer() {
  const heard: unknown[] = [];
  const peer = new JsonRpcPeer({
    onRequest: (id, method, params) => heard.push([id, method, params]),
    onNotification: (method, params) => heard.push([method, params]),
  });
  const lines = peer.lines();
  const next = async () => JSON.parse((await lines.next()).value ?? "null");
  return { peer, heard, next, lines };
}

test("what is sent goes out in order, one message a line", async () => {
  const { peer, next } = openPeer();
  void peer.request("a", { x: 1 });
  peer.notify("b");
  peer.answer("q", { y: 2 });
  peer.refuse(7, "c");
  expect([await next(), await next(), await next(), await next()]).toEqual([
    { jsonrpc: "2.0", id: 1, method: "a", params: { x: 1 } },
    { jsonrpc: "2.0", method: "b" },
    { jsonrpc: "2.0", id: "q", result: { y: 2 } },
    { jsonrpc: "2.0", id: 7, error: { code: -32601, message: "c is not offered" } },
  ]);
});

test("each answer finds its request, in whatever order they come", async () => {
  const { peer } = openPeer();
  const asked = [peer.request("a", {}), peer.request("b", {}), peer.request("c", {})];
  peer.read({ id: 3, result: "third" });
  peer.read({ id: 99, result: "of nobody" });
  peer.read({ id: 1, error: { code: 1, message: "no" } });
  peer.read({ id: 1, result: "too late" });
  peer.close();
  expect(await Promise.all(asked)).toEqual([
    { kind: "error", message: "no" },
    { kind: "closed" },
    { kind: "result", result: "third" },
  ]);
  expect(await peer.request("d", {})).toEqual({ kind: "closed" });
});

test("a result is known before the message that came with it is read", () => {
  const { peer, heard } = openPeer();
  void peer.request("a", {}, (result) => heard.push(result));
  peer.read({ id: 1, result: "known" });
  peer.read({ method: "happened", params: {} });
  peer.read({ id: 0, method: "asked", params: {} });
  peer.read({ strange: true });
  expect(heard).toEqual(["known", ["happened", {}], [0, "asked", {}]]);
});

test("whoever does not read is held back, and let go when it reads or is gone", async () => {
  const { peer, lines } = openPeer();
  await peer.whenRoomy();
  peer.notify("large", { text: "x".repeat(5_000_000) });
  let isRoomy = false;
  const roomy = peer.whenRoomy().then(() => (isRoomy = true));
  await Promise.resolve();
  expect(isRoomy).toBe(false);
  await lines.next();
  await roomy;
  peer.notify("large", { text: "x".repeat(5_000_000) });
  const gone = peer.whenRoomy();
  peer.close();
  await gone;
  await lines.next();
  expect((await lines.next()).done).toBe(true);
});
