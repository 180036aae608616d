// A server of somebody else before anybody calls it: one that says nothing, too much, or something else than it did.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makePins, writePins } from "../../../../src/server/mcp/wrap/pins.ts";
import { WrappedServer } from "../../../../src/server/mcp/wrap/wrapped-server.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { longTest } from "../../../support/tier.ts";

const SERVER = join(import.meta.dirname, "..", "..", "..", "program", "fixtures", "mcp-server.mjs");

const tool = (name: string) => ({ name, description: name, inputSchema: { type: "object" } });

function makeServer({ limitMs = 20_000 } = {}) {
  const stateDir = temporaryFolder();
  const file = join(stateDir, "tools.json");
  const argv = [process.execPath, SERVER, file];
  const command = { argv, cwd: stateDir, env: {}, envNames: [], limitMs };
  const open = () => {
    const server = new WrappedServer({ stateDir, version: "1" }, command, () => undefined);
    onTestFinished(() => server.close());
    return server;
  };
  const offer = (...names: readonly string[]) =>
    writeFileSync(file, JSON.stringify(names.map(tool)));
  offer("read");
  return { stateDir, file, argv, open, offer };
}

describe("a server", () => {
  test("that does not answer is given up in time", async () => {
    const { file, open } = makeServer({ limitMs: 300 });
    writeFileSync(`${file}.mute`, "");
    await expect(open().open()).rejects.toThrow(/does not answer as an MCP server: .*timed out/i);
  });

  longTest("that was given up is spoken with as soon as it answers", async () => {
    const { file, open } = makeServer({ limitMs: 5_000 });
    writeFileSync(`${file}.mute`, "");
    const server = open();
    await expect(server.open()).rejects.toThrow("does not answer");
    expect([server.client, server.stop?.problem]).toEqual([
      null,
      expect.stringContaining("does not answer"),
    ]);
    rmSync(`${file}.mute`);
    await server.open();
    expect(server.stop?.problem).toBe("nobody has looked at this server yet");
  });

  test.each([
    ["has two tools of one name", ["read", "read"], "it has two tools `read`"],
    [
      "has thousands of tools",
      Array.from({ length: 4_097 }, (_, number) => `tool-${number}`),
      "it has more than 4096 tools",
    ],
  ])("that %s is stopped", async (_, names, problem) => {
    const { open, offer } = makeServer();
    offer(...names);
    const server = open();
    await server.open();
    expect(server.tools).toEqual([]);
    expect(server.stop?.problem).toContain(problem);
    await expect(server.offer()).rejects.toThrow(problem);
  });

  test("whose list has no end is stopped", async () => {
    const { file, open } = makeServer();
    writeFileSync(`${file}.endless`, "");
    const server = open();
    await server.open();
    expect(server.stop?.problem).toContain("pagination did not terminate");
  });

  test("that calls itself otherwise than it was approved as is stopped, since hooks go by its name", async () => {
    const { stateDir, file, argv, open } = makeServer();
    const first = open();
    await first.open();
    writePins(stateDir, makePins(argv, await first.offer()));
    const approved = open();
    await approved.open();
    expect([approved.stop, approved.name]).toEqual([null, "theirs"]);
    writeFileSync(`${file}.name`, "others");
    const renamed = open();
    await renamed.open();
    expect([renamed.tools, renamed.stop?.problem]).toEqual([[], "it calls itself `others` now"]);
  });
});
