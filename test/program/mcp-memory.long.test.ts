// A client that calls a thousand times: neither the server nor the host may keep anything of a call.
import { expect, test } from "vitest";
import { memoryProbe, readKeptMemory } from "../support/memory-probe.ts";
import { callTool, openClient, pidOf } from "./mcp-client.ts";
import { makeSessionHome } from "./session-home.ts";

const FROM = 200;
const TO = 1_000;
/** What V8 itself adds while it still compiles what is hot: 1.3 KB a call were seen. A catalog, a store, a log is far more. */
const MAX_BYTES_PER_CALL = 4_096;
const MAX_YOUNG = 16 << 20;

test("a thousand calls leave nothing behind in the server and in the host", async () => {
  const home = makeSessionHome();
  home.write({ "config/commands.yaml": "say: { description: Say, argv: [echo, said] }\n" });
  const env = { NODE_OPTIONS: memoryProbe(home.folder) };
  const client = await openClient(home, { era: "2025", env });
  const look = async () => ({
    server: await readKeptMemory(home.folder, pidOf(client)),
    host: await readKeptMemory(home.folder, home.hostPid()),
  });
  const callUntil = async (count: number, last: number) => {
    for (let call = count; call < last; call++)
      expect(await callTool(client, "say")).toMatchObject({ output: "said\n" });
    return look();
  };
  const early = await callUntil(0, FROM);
  const late = await callUntil(FROM, TO);
  for (const at of ["server", "host"] as const) {
    const perCall = (late[at].heap - early[at].heap) / (TO - FROM);
    expect(perCall, `bytes a call in the ${at}`).toBeLessThan(MAX_BYTES_PER_CALL);
    expect(late[at].young, `room for young objects in the ${at}`).toBeLessThanOrEqual(MAX_YOUNG);
  }
});
