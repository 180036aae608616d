// What it costs to be an MCP server: from the start to the first `tools/list`, against a bare server of the same library with as
// many tools, bundled the same way; and thousands of calls in a row, by the memory that the server and the host keep.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { rolldown } from "rolldown";
import { memoryProbe, readKeptMemory } from "../test/support/memory-probe.ts";
import { interleave, report } from "./interleave.ts";

const ROOT = join(import.meta.dirname, "..");
const ADJ = join(ROOT, "bin", "adj");
const TOOLS = 20;
const LOOKS = [100, 500, 1_000, 2_000];
const folder = mkdtempSync(join(tmpdir(), "adjutant-bench-"));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ADJ_CONFIG_DIR: join(folder, "config"),
  ADJ_STATE_DIR: join(folder, "state"),
  ADJ_HOST_IDLE: "60s",
  NODE_COMPILE_CACHE: join(folder, "compiled"),
};

const BARE = `
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { enableCompileCache } from "node:module";
import * as z from "zod";
enableCompileCache();
serveStdio(() => {
  const server = new McpServer({ name: "bare", version: "1" });
  for (let number = 0; number < ${TOOLS}; number++)
    server.registerTool("say-" + number, { description: "Say " + number, inputSchema: z.object({ args: z.array(z.string()).optional() }) }, () => ({ content: [{ type: "text", text: "x" }] }));
  return server;
});
`;

async function bundleBare(): Promise<string> {
  const source = join(ROOT, "bench", `.bare-${process.pid}.mjs`);
  writeFileSync(source, BARE);
  try {
    const bundle = await rolldown({ cwd: ROOT, platform: "node", input: source });
    const file = join(folder, "bare.cjs");
    await bundle.write({ file, format: "cjs", minify: true, codeSplitting: false });
    await bundle.close();
    return file;
  } finally {
    rmSync(source, { force: true });
  }
}

class Peer {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (message: unknown) => void>();
  #id = 0;

  constructor(program: string, words: readonly string[]) {
    this.child = spawn(program, words, { cwd: folder, env });
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
  }

  ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, resolve);
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return promise;
  }

  async open(): Promise<void> {
    const clientInfo = { name: "bench", version: "1" };
    const protocolVersion = "2025-06-18";
    await this.ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    this.child.stdin.write(`${JSON.stringify(note)}\n`);
    await this.ask("tools/list", {});
  }
}

async function openOnce(program: string, words: readonly string[]): Promise<void> {
  const peer = new Peer(program, words);
  await peer.open();
  peer.child.kill("SIGKILL");
}

/** Ends as clients end it, by the end of what it reads: what was compiled is then kept for the starts that are timed. */
async function openAndLeave(program: string, words: readonly string[]): Promise<void> {
  const peer = new Peer(program, words);
  await peer.open();
  const { promise: left, resolve } = Promise.withResolvers<void>();
  peer.child.once("exit", () => resolve());
  peer.child.stdin.end();
  await left;
}

/** In MB, after a forced collection. */
async function describeMemory(pid: number): Promise<string> {
  const { heap, young, resident } = await readKeptMemory(folder, pid);
  const [kept, room, all] = [heap, young, resident].map((bytes) => (bytes / 2 ** 20).toFixed(1));
  return `heap ${kept}, young ${room}, resident ${all} MB`;
}

try {
  mkdirSync(join(folder, "config"));
  const commands = Array.from(
    { length: TOOLS },
    (_, number) => `say-${number}: { description: Say ${number}, argv: [echo, "${number}"] }`,
  );
  writeFileSync(join(folder, "config", "commands.yaml"), commands.join("\n"));
  const bare = await bundleBare();
  await openAndLeave(process.execPath, [bare]);
  await openAndLeave(ADJ, ["mcp"]);
  const timings = await interleave(
    [
      { name: "bare server", run: () => openOnce(process.execPath, [bare]) },
      { name: "adj mcp", run: () => openOnce(ADJ, ["mcp"]) },
    ],
    Number(process.env.ADJ_BENCH_ROUNDS ?? 20),
  );
  report(`MCP: to the first tools/list, ${TOOLS} tools`, timings, [
    { of: "adj mcp", against: "bare server", atMost: 1.5 },
  ]);
  env.NODE_OPTIONS = memoryProbe(folder);
  const peer = new Peer(ADJ, ["mcp"]);
  await peer.open();
  for (let count = 1; count <= Math.max(...LOOKS); count++) {
    await peer.ask("tools/call", { name: "say-7", arguments: {} });
    if (!LOOKS.includes(count)) continue;
    const host = Number(readFileSync(join(folder, "state", "host"), "utf8").split(" ")[2]);
    const server = peer.child.pid ?? 0;
    console.log(`  after ${count} calls`);
    console.log(`    server: ${await describeMemory(server)}`);
    console.log(`    host:   ${await describeMemory(host)}`);
  }
  peer.child.stdin.end();
} finally {
  spawnSync(ADJ, ["serve", "stop"], { env, cwd: folder });
  rmSync(folder, { recursive: true, force: true });
}
