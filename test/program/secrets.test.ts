// No secret that was given to a command, whichever way, is found in any file of the state folder or in the log.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../support/tier.ts";
import { type Home, makeHome } from "./adj.ts";

/** One without any known form, one with a vendor's. */
const SECRET = "Zq7-hunter2-secret";
const KEY = `sk-ant-api03-${"a1B2c3D4".repeat(5)}`;

const FILES: Readonly<Record<string, string>> = {
  "config/commands/login.js": `import { defineCommand, fail, ok, z } from "adjutant";
export default defineCommand({
  description: "Log in",
  effect: "write",
  env: ["TOKEN"],
  args: z.object({
    host: z.string().optional().meta({ positional: 0, plain: true }),
    token: z.string().optional().meta({ secret: true }),
    note: z.string().optional(),
    times: z.number().optional(),
    ends: z.enum(["well", "badly", "by-throwing"]).default("well").meta({ plain: true }),
  }),
  run: async ({ ends, ...args }, context) => {
    const told = JSON.stringify(args) + context.rawCommand + context.env.get("TOKEN");
    context.log("log: " + told);
    context.progress("progress: " + told);
    await context.session.slot().update((value) => Number(value ?? 0) + 1);
    if (ends === "by-throwing") throw new Error("thrown: " + told, { cause: told });
    return ends === "badly" ? fail("failed: " + told, 3, { told }) : ok("done: " + told, { told });
  },
});
`,
  "config/commands/free.js": `import { ok } from "adjutant";
export default {
  description: "Takes anything",
  run: async (args, { log, dispatch }) => {
    log(JSON.stringify(args));
    return args.nested ? (await dispatch({ name: "say", args: args._ })).result : ok(JSON.stringify(args));
  },
};
`,
  "config/commands.yaml": `
say: { description: S, shell: sh, command: 'echo "$@" "$TOKEN"; echo "$@" >&2; exit 4', env: [TOKEN] }
wipe: { description: W, argv: [echo], safety: destructive }
hang: { description: H, shell: sh, command: 'echo ready "$@"; exec sleep 60', env: [TOKEN] }
`,
};

function makeVault(): Home & { readonly ask: (...words: string[]) => ReturnType<Home["adj"]> } {
  const home = makeHome();
  home.write(FILES);
  const env = { ...home.env, TOKEN: SECRET, OTHER_KEY: KEY };
  return { ...home, ask: (...words) => home.adjIn({ env, stdin: SECRET }, ...words) };
}

/** The files below the state folder in which a secret stands, in whatever part. */
function leaksIn(stateDir: string): string[] {
  const entries = readdirSync(stateDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain("audit.db-wal");
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => holdsSecret(readFileSync(path)));
}

const PARTS = [SECRET, SECRET.slice(4, 11), KEY, KEY.slice(13, 40)];
const holdsSecret = (bytes: Buffer | string): boolean => PARTS.some((part) => bytes.includes(part));

const GIVEN: readonly (readonly [string, readonly string[], number])[] = [
  ["a field marked secret", ["login", `--token=${SECRET}`], 0],
  ["a field that is not marked", ["login", `--note=${SECRET}`], 0],
  ["a key in a plain field", ["login", KEY], 0],
  ["a URL with a password in a plain field", ["login", `https://ada:${SECRET}@host/`], 0],
  ["a failed command's error output", ["login", `--token=${SECRET}`, "--ends=badly"], 3],
  ["a thrown error", ["login", `--note=${SECRET}`, "--ends=by-throwing"], 1],
  ["a value that does not fit", ["login", `--times=${SECRET}`], 2],
  ["an unknown flag", ["login", `--${SECRET}`], 2],
  ["an unknown flag's value", ["login", `--tokem=${SECRET}`], 2],
  ["a word too many", ["login", "host", SECRET], 2],
  ["words without a schema", ["free", SECRET, `--password=${SECRET}`], 0],
  ["words of a nested command", ["free", "--nested", SECRET, KEY], 4],
  ["words of a program, its output and its environment", ["say", SECRET, KEY], 4],
  ["the same, as JSON", ["--json", "say", SECRET, KEY], 4],
  ["words of a command that asks", ["wipe", SECRET], 126],
  ["words of a command that was allowed", ["--yes", "wipe", SECRET], 0],
  ["a param whose name says so", ["params", `api.token=${SECRET}`], 2],
  ["a param whose value says so", ["params", `colour=${KEY}`], 2],
  ["a param's path", ["params", `${KEY}=1`], 2],
  ["a param that refers to the environment", ["params", "append_system_prompt=env:TOKEN"], 0],
  ["a setting", ["config", "set", "params.api.key", SECRET], 2],
  ["an unknown command", [KEY], 127],
  ["an unknown command's words", ["logn", SECRET], 127],
];

describe("no file of the state folder holds a secret given as", () => {
  test.each(sampled(GIVEN))("%s", async (_, words, exitCode) => {
    const vault = makeVault();
    expect(await vault.ask(...words)).toMatchObject({ exitCode });
    expect(leaksIn(vault.stateDir)).toEqual([]);
    for (const flag of ["--json", "--last=100"]) {
      const { stdout, stderr } = await vault.adj("log", flag);
      expect(stdout).toContain("Command");
      expect(holdsSecret(stdout + stderr)).toBe(false);
    }
  });
});

describe("an agent's run keeps no secret", () => {
  const print = `printf '%s\\n' "$OPENAI_API_KEY"; cat; printf 'DB_PASSWORD=${SECRET}\\n' >&2; printf '${KEY.slice(0, 20)}'; sleep 0.1; printf '${KEY.slice(20)}'`;
  const words = ["agent", "run", "command", "--prompt", `use ${KEY}`, '--set=argv=["sh","say.sh"]'];
  const env = { OPENAI_API_KEY: SECRET, ADJ_TOKEN: SECRET };

  function makeAgent(): Home {
    const home = makeHome();
    home.write({ "project/say.sh": print });
    return home;
  }

  test("in its log, raw output, cassette and exports", async () => {
    const home = makeAgent();
    const copies = ["--record=tape.json", "--otel=spans.json", "--log-format=youbencha"];
    const ending = await home.adjIn({ env: { ...home.env, ...env } }, ...words, ...copies);
    expect(ending).toMatchObject({ exitCode: 0 });
    expect(ending.stdout).toContain(KEY);
    expect(leaksIn(home.stateDir)).toEqual([]);
    const made = ["tape.json", "spans.json"].map((name) => readFileSync(join(home.project, name)));
    expect(made.map(holdsSecret)).toEqual([false, false]);
    const { stdout } = await home.adj("agent", "log", "--json");
    expect(holdsSecret(stdout)).toBe(false);
  });

  test("unless the raw output is asked for, and then there alone", async () => {
    const home = makeAgent();
    await home.adjIn({ env: { ...home.env, ...env } }, ...words, "--raw");
    const names = leaksIn(home.stateDir).map((path) => path.split("/").at(-1));
    expect(names.toSorted()).toEqual(["stderr", "stdout"]);
  });
});

test("what the caller sees is never masked", async () => {
  const { stdout, stderr } = await makeVault().ask("login", `--token=${SECRET}`);
  expect({ stdout, stderr }).toEqual({
    stdout: `done: {"token":"${SECRET}"}login --token=${SECRET}${SECRET}\n`,
    stderr: "",
  });
});

test("a dispatch whose process was killed keeps no secret either", async () => {
  const vault = makeVault();
  const { child, printed, ended } = vault.start("hang", SECRET, KEY);
  await printed("ready");
  child.kill("SIGKILL");
  await ended;
  expect(leaksIn(vault.stateDir)).toEqual([]);
});

test("a file that throws a secret while it is loaded leaves it nowhere", async () => {
  const vault = makeVault();
  vault.write({
    "config/commands/leaky.js":
      "throw new Error([process.env.TOKEN, process.env.OTHER_KEY].join());\n",
  });
  expect(await vault.ask("leaky")).toMatchObject({ exitCode: 2 });
  expect(leaksIn(vault.stateDir)).toEqual([]);
});
