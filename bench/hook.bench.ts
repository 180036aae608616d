// What a hook costs the agent, against the floor `sh -c true` and against a Node script that reads stdin and prints
// `{}`; then the resident under load. `ADJ_BENCH_SECONDS=10` for a shorter load, `ADJ_BENCH_ROUNDS` for more samples.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { addressFile, type ResidentAddress, readAddress } from "../src/hooks/resident/address.ts";
import { installClient } from "../src/hooks/resident/client.ts";
import { hookUrl, prepareHttpEntry } from "../src/hooks/resident/http-entry.ts";
import { measureLoad } from "./hook-load.ts";
import { interleave, report } from "./interleave.ts";

const ADJ = join(import.meta.dirname, "..", "bin", "adj");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-bench-")));
const project = join(folder, "project");
const configDir = join(folder, "config");
const stateDir = join(folder, "state");
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  LANG: process.env.LANG,
  XDG_CACHE_HOME: join(folder, "cache"),
  ADJ_STATE_DIR: stateDir,
  ADJ_CONFIG_DIR: configDir,
};
const COLD = { ...env, ADJ_RESIDENT: "off" };

mkdirSync(project, { recursive: true });
mkdirSync(join(configDir, "commands"), { recursive: true });
writeFileSync(
  join(configDir, "commands", "branch.ts"),
  `import { defineCommand, ok } from "adjutant";
export default defineCommand({
  description: "Name the branch",
  effect: "read",
  safety: "read_only",
  run: () => ok("main"),
});
`,
);
const naive = join(folder, "naive.cjs");
writeFileSync(
  naive,
  'JSON.parse(require("node:fs").readFileSync(0, "utf8"));\nconsole.log("{}");\n',
);

const payloadOf = (command: string) =>
  JSON.stringify({
    session_id: "bench",
    transcript_path: join(folder, "transcript.jsonl"),
    cwd: project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "toolu_bench",
  });
const small = payloadOf(`echo ${"a".repeat(750)}`);
const large = payloadOf(`echo ${"a".repeat(100_000)}`);
const virtual = payloadOf("adj-branch");

interface Run {
  readonly words: readonly string[];
  readonly stdin: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly expects?: string;
}

async function run({ words, stdin, env: own = env, expects = "" }: Run): Promise<void> {
  const [program = "", ...args] = words;
  const child = spawn(program, args, { cwd: project, env: own, stdio: ["pipe", "pipe", "ignore"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const [status] = await once(child, "close");
  const printed = Buffer.concat(chunks).toString();
  if (status !== 0 || !printed.includes(expects))
    throw new Error(`${words.join(" ")} ended with ${status} and ${JSON.stringify(printed)}`);
}

async function post(url: string, secret: string, agent: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const asked = request(url, { method: "POST", headers, agent });
  asked.end(small);
  const [response] = await once(asked, "response");
  for await (const _ of response);
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`);
}

async function startResident(): Promise<ResidentAddress> {
  const { status, stderr } = spawnSync(ADJ, ["resident", "start"], { cwd: project, env });
  const address = readAddress(addressFile(stateDir));
  if (status !== 0 || address === null) throw new Error(`no resident: ${stderr}`);
  return address;
}

const ROUNDS = Number(process.env.ADJ_BENCH_ROUNDS ?? 200);
const SECONDS = Number(process.env.ADJ_BENCH_SECONDS ?? (process.env.ADJ_BENCH_SHORT ? 10 : 60));
const keepAlive = new Agent({ keepAlive: true });

try {
  const client = installClient(join(stateDir, "..", "data"), ADJ);
  const http = await prepareHttpEntry(stateDir);
  const address = await startResident();
  // Its look at itself comes once a second; then HTTP is open.
  await pause(1_500);
  // Fills the index, the threads and the compile cache.
  for (const own of [env, COLD])
    for (const stdin of [small, virtual])
      for (let again = 0; again < 3; again++)
        await run({ words: [client, "claude-code"], stdin, env: own });
  const hasBun = spawnSync("bun", ["--version"]).status === 0;
  const url = hookUrl(http, "claude-code");
  const timings = await interleave(
    [
      { name: "sh -c true", run: () => run({ words: ["sh", "-c", "true"], stdin: small }) },
      {
        name: "warm, sh -c",
        run: () =>
          run({ words: ["sh", "-c", `exec '${client}' claude-code`], stdin: small, expects: "{}" }),
      },
      {
        name: "warm, exec form",
        run: () => run({ words: [client, "claude-code"], stdin: small, expects: "{}" }),
      },
      {
        name: "warm, 100 KB",
        run: () => run({ words: [client, "claude-code"], stdin: large, expects: "{}" }),
      },
      {
        name: "virtual command, warm",
        run: () => run({ words: [client, "claude-code"], stdin: virtual, expects: "main" }),
      },
      { name: "HTTP", run: () => post(url, http.secret, keepAlive) },
      {
        name: "naive Node hook",
        run: () => run({ words: [process.execPath, naive], stdin: small, expects: "{}" }),
      },
      ...(hasBun
        ? [
            {
              name: "naive Bun hook",
              run: () => run({ words: ["bun", naive], stdin: small, expects: "{}" }),
            },
          ]
        : []),
      {
        name: "cold",
        run: () =>
          run({ words: [ADJ, "hook", "claude-code"], stdin: small, env: COLD, expects: "{}" }),
      },
    ],
    ROUNDS,
  );
  report("a hook that lets pass, as the agent waits for it", timings, [
    { of: "warm, sh -c", against: "sh -c true", atMost: 2.5 },
    { of: "warm, exec form", against: "sh -c true", atMost: 2 },
    { of: "warm, 100 KB", against: "sh -c true", atMost: 4 },
    { of: "virtual command, warm", against: "sh -c true", atMost: 3 },
    { of: "HTTP", against: "sh -c true", atMost: 1 },
    { of: "cold", against: "naive Node hook", atMost: 1.3 },
  ]);
  if (readAddress(addressFile(stateDir))?.serverKey !== address.serverKey)
    throw new Error("the resident was replaced while it was measured");
  await measureLoad({ address, cwd: project, env, payload: small, seconds: SECONDS });
} finally {
  keepAlive.destroy();
  spawnSync(ADJ, ["resident", "stop"], { cwd: project, env });
  rmSync(folder, { recursive: true, force: true });
}
