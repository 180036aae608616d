// Faults of our own, on every agent: where blocking guards were in force at the last good look the step is refused.
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveProject, revokeApproval } from "../../../src/core/project/trust/approval.ts";
import { createHookAnswerer } from "../../../src/hooks/pipeline/answer.ts";
import { markerFile } from "../../../src/hooks/pipeline/guard-marker.ts";
import { makeColdParts } from "../../../src/hooks/resident/cold-parts.ts";
import { ownProgram } from "../../../src/own-program.ts";
import { INSTALLERS } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { sampled } from "../../support/tier.ts";

const answer = createHookAnswerer(makeColdParts(ownProgram));
const GUARD = `hooks:
  - { name: no-push, on: before_tool, match: { command: "git push*" }, run: { builtin: deny } }
`;
const IN_FORCE = "guards are in force here, so it did not run";

interface Place {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly stateDir: string;
  readonly configDir: string;
}

function makePlace(hooks: string | null): Place {
  const folder = temporaryFolder();
  const [stateDir, configDir] = [join(folder, "state"), join(folder, "config")];
  mkdirSync(configDir);
  if (hooks !== null) writeFileSync(join(configDir, "hooks.yaml"), hooks);
  const env = {
    HOME: folder,
    ADJ_STATE_DIR: stateDir,
    ADJ_CONFIG_DIR: configDir,
    ADJ_DATA_DIR: join(folder, "data"),
  };
  return { folder, env, stateDir, configDir };
}

function call(agent: string, { folder, env }: Place, change: object = {}) {
  const installer = INSTALLERS.find((one) => one.agent === agent);
  const event = installer?.abilities.steps.before_tool?.event ?? "";
  const sample = { session: "s", cwd: folder, time: new Date(0), prompt: "", output: "" };
  const tool = { tool: "Bash", args: { command: "ls" } };
  const payload = installer?.writeSample(event, { ...sample, step: "before_tool", call: tool });
  const signal = new AbortController().signal;
  return answer({ agent, payload: JSON.stringify(payload), env, cwd: folder, signal, ...change });
}

const loop = (path: string) => {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(path, path);
};
const replaceByFile = (path: string) => {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, "");
};
const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

type Break = (place: Place) => object | undefined;

const FAULTS: readonly (readonly [string, Break, RegExp])[] = [
  [
    "the state folder is a file",
    ({ stateDir }) => void replaceByFile(stateDir),
    /state.*not a folder/,
  ],
  ["the state folder is a circle of links", ({ stateDir }) => void loop(stateDir), /state.*circle/],
  [
    "the trust in it is a file",
    ({ stateDir }) => void replaceByFile(join(stateDir, "trust")),
    /trust.*not a folder/,
  ],
  [
    "the configuration is a file",
    ({ configDir }) => void replaceByFile(configDir),
    /config.*not a folder/,
  ],
  [
    "the configuration is a circle of links",
    ({ configDir }) => void loop(configDir),
    /config.*circle/,
  ],
  [
    "the configuration is a link to nothing",
    ({ configDir }) => {
      rmSync(configDir, { recursive: true });
      symlinkSync("/nowhere/at/all", configDir);
      return undefined;
    },
    /a link to nothing/,
  ],
  [
    "a state folder that cannot be made",
    ({ env }) => ({ env: { ...env, ADJ_STATE_DIR: "/proc/nope" } }),
    /proc\/nope.*cannot be made/,
  ],
  [
    "a state folder below a file",
    ({ env, folder }) => {
      writeFileSync(join(folder, "file"), "");
      return { env: { ...env, ADJ_STATE_DIR: join(folder, "file", "state") } };
    },
    /file\/state.*not a folder/,
  ],
  [
    "a relative state folder",
    ({ env }) => ({ env: { ...env, ADJ_STATE_DIR: "state" } }),
    /not an absolute path/,
  ],
  [
    "a relative configuration",
    ({ env }) => ({ env: { ...env, ADJ_CONFIG_DIR: "x" } }),
    /not an absolute path/,
  ],
  [
    "a configuration that is no folder",
    ({ env }) => ({ env: { ...env, ADJ_CONFIG_DIR: "/dev/null" } }),
    /dev\/null.*not a folder/,
  ],
  ["a payload over the limit", () => ({ payload: null }), /over 64 MiB/],
  ["a payload that is no JSON", () => ({ payload: "{" }), /not a JSON object/],
  ["a payload of 100,000 levels", () => ({ payload: DEEP }), /not a JSON object/],
];

const toolEventOf = (agent: string): string =>
  INSTALLERS.find((one) => one.agent === agent)?.abilities.steps.before_tool?.event ?? "";

/** An agent's new version may call things otherwise; each payload comes by the entry of a tool's event. */
const OTHERWISE: readonly (readonly [string, (event: string) => object, RegExp])[] = [
  ["nothing that we know", () => ({ what: "ls" }), /does not say that it is|names no tool/],
  [
    "its event and no tool",
    (event) => ({ hook_event_name: event, toolArgs: "{}", what: "ls" }),
    /does not say that it is|names no tool/,
  ],
];

describe.each(INSTALLERS.map(({ agent }) => agent))("%s", (agent) => {
  test.each(sampled(FAULTS))("%s: refused where guards were in force", async (_, cause, told) => {
    const place = makePlace(GUARD);
    mkdirSync(place.stateDir);
    await call(agent, place);
    const change = cause(place) ?? {};
    const { stdout, stderr } = await call(agent, place, change);
    expect(stdout).toMatch(told);
    expect(stdout).toContain(IN_FORCE);
    expect(Object.keys(JSON.parse(stdout))).not.toEqual([]);
    expect(stderr).toBe("");
  });

  test.each(sampled(FAULTS))(
    "%s: passes where none were, and the person is told",
    async (_, cause, told) => {
      const place = makePlace(null);
      mkdirSync(place.stateDir);
      const silence = (await call(agent, place)).stdout;
      const change = cause(place) ?? {};
      const { stdout, stderr } = await call(agent, place, change);
      expect(stdout).toBe(silence);
      if (agent === "gemini") expect(stderr).toBe("");
      else expect(stderr).toMatch(told);
    },
  );
});

describe.each(INSTALLERS.map(({ agent }) => agent))("%s", (agent) => {
  test.each(OTHERWISE)(
    "a payload that says %s is refused where guards are in force",
    async (_, write, told) => {
      const event = toolEventOf(agent);
      const change = { payload: JSON.stringify(write(event)), event };
      const guarded = makePlace(GUARD);
      await call(agent, guarded);
      const { stdout } = await call(agent, guarded, change);
      expect(stdout).toMatch(told);
      expect(stdout).toContain(IN_FORCE);
      expect((await call(agent, makePlace(null), change)).stdout).not.toContain("did not run");
    },
  );
});

/** Each leaves the rest of what there was as it is. */
const REMOVED: readonly (readonly [string, Break, RegExp])[] = [
  [
    "the hooks file",
    ({ configDir }) => void rmSync(join(configDir, "hooks.yaml")),
    /hooks\.yaml: there is no such file/,
  ],
  [
    "the hooks file, a link to nothing put in its place",
    ({ configDir }) => {
      rmSync(join(configDir, "hooks.yaml"));
      symlinkSync("nothing", join(configDir, "hooks.yaml"));
      return undefined;
    },
    /hooks\.yaml: there is no such file/,
  ],
  [
    "the configuration folder",
    ({ configDir }) => void rmSync(configDir, { recursive: true }),
    /config: there is no such folder/,
  ],
  [
    "the configuration folder, an empty one put in its place",
    ({ configDir }) => {
      rmSync(configDir, { recursive: true });
      mkdirSync(configDir);
      return undefined;
    },
    /hooks\.yaml: there is no such file/,
  ],
  [
    "by a variable that names a folder which is not there",
    ({ env }) => ({ env: { ...env, ADJ_CONFIG_DIR: "/nowhere/at/all" } }),
    /\/nowhere\/at\/all: there is no such folder/,
  ],
];

describe.each(REMOVED)("guards that are gone: %s", (_, remove, told) => {
  test.each(INSTALLERS.map(({ agent }) => agent))(
    "%s is refused again and again, and told the way out",
    async (agent) => {
      const place = makePlace(GUARD);
      await call(agent, place);
      const change = remove(place) ?? {};
      // Another configuration of the same person, which has guards as well, takes nothing of it away.
      const other = { ...makePlace(GUARD.replace("no-push", "other")), folder: place.folder };
      await call(agent, {
        ...other,
        env: { ...other.env, ADJ_DATA_DIR: place.env.ADJ_DATA_DIR ?? "" },
      });
      for (const _round of [1, 2]) {
        const { stdout } = await call(agent, place, change);
        expect(stdout).toMatch(told);
        expect(stdout).toContain("adj install AGENT");
        expect(stdout).toContain("no tool runs");
      }
    },
  );

  test("passes where none ever were", async () => {
    const place = makePlace("hooks: []\n");
    const silence = await call("codex", place);
    const change = remove(place) ?? {};
    expect(await call("codex", place, change)).toMatchObject({
      stdout: silence.stdout,
      stderr: "",
    });
  });
});

const UNREADABLE: readonly (readonly [string, (dataDir: string) => void])[] = [
  ["is a folder", (dataDir) => mkdirSync(markerFile(dataDir), { recursive: true })],
  ["lies in a file", replaceByFile],
  ["lies behind a circle of links", loop],
  ["lies behind a link to nothing", (dataDir) => symlinkSync("/nowhere/at/all", dataDir)],
];

describe.each(UNREADABLE)("a marker that %s", (_, spoil) => {
  test.each(INSTALLERS.map(({ agent }) => agent))(
    "says nothing of guards, so %s is refused for a fault, and told what to mend",
    async (agent) => {
      const place = makePlace(GUARD);
      rmSync(place.env.ADJ_DATA_DIR ?? "", { recursive: true, force: true });
      spoil(place.env.ADJ_DATA_DIR ?? "");
      // Without a fault the rules themselves are there to be asked.
      expect((await call(agent, place)).stdout).not.toContain("did not run");
      replaceByFile(place.stateDir);
      for (const change of [{}, { payload: null }]) {
        const { stdout, stderr } = await call(agent, place, change);
        expect(stdout).toContain("guards may be in force here, so it did not run");
        expect(stdout).toContain(markerFile(place.env.ADJ_DATA_DIR ?? ""));
        expect(stderr).toBe("");
      }
    },
  );
});

/** Of what a person approved of a project, each in the folder of its state. */
const LOST: readonly (readonly [string, (folder: string, hash: string) => void])[] = [
  [
    "what says which state is in force",
    (folder) => {
      for (const name of ["current.json", "newest.json"]) writeFileSync(join(folder, name), "{");
    },
  ],
  ["the list of its files", (folder, hash) => rmSync(join(folder, hash, "manifest.json"))],
  ["the copy", (folder, hash) => rmSync(join(folder, hash, "files"), { recursive: true })],
  ["all but its folder, a file now", (folder) => replaceByFile(folder)],
];

async function makeGuardedProject() {
  const place = makePlace(null);
  const root = realpathSync(temporaryFolder());
  mkdirSync(join(root, ".adjutant"));
  writeFileSync(join(root, ".adjutant", "hooks.yaml"), GUARD.replace("git push*", "ls"));
  const { hash, copyDir } = await approveProject(root, place.stateDir);
  const ask = async () => (await call("codex", { ...place, folder: root })).stdout;
  expect(await ask()).toContain("deny");
  return { place, root, hash, folder: join(copyDir, "..", ".."), ask };
}

test.each(LOST)("a project's guards do not go with the loss of %s", async (_, lose) => {
  const { place, root, hash, folder, ask } = await makeGuardedProject();
  lose(folder, hash);
  for (const _round of [1, 2]) expect(await ask()).toContain("can no longer be read");
  revokeApproval(root, place.stateDir);
  expect(await ask()).toBe("");
});

test("where only the state that commands are taken from is lost, the newest guards stay in force", async () => {
  const { folder, ask } = await makeGuardedProject();
  writeFileSync(join(folder, "current.json"), "{");
  expect(await ask()).toContain("no-push");
});

test("a state folder in which nothing can be made is no endless wait", async () => {
  const place = makePlace(GUARD);
  const env = { ...place.env, ADJ_STATE_DIR: "/proc/self/fd" };
  expect((await call("codex", place, { env })).stdout).toBe("");
});

test("a data folder that is given by a relative path may hold guards that nobody finds", async () => {
  const place = makePlace(GUARD);
  const env = { ...place.env, ADJ_DATA_DIR: "data", ADJ_STATE_DIR: "state" };
  const { stdout } = await call("codex", place, { env });
  expect(stdout).toContain("guards may be in force here, so it did not run");
});

test("a word of a project's rule that leads nowhere or is too long for a path stops no tool", async () => {
  const place = makePlace(null);
  const root = realpathSync(temporaryFolder());
  mkdirSync(join(root, ".adjutant"));
  loop(join(root, "loop"));
  const argv = ["true", `a${"b".repeat(300)}`, "loop/x"];
  const rule = { name: "x", on: "before_tool", unpinned: true, run: { argv } };
  writeFileSync(join(root, ".adjutant", "hooks.yaml"), JSON.stringify({ hooks: [rule] }));
  await approveProject(root, place.stateDir);
  expect((await call("codex", { ...place, folder: root })).stdout).toBe("");
});

test("a hooks file that is a circle of links leaves what it last said in force", async () => {
  const place = makePlace(GUARD.replace("git push*", "ls"));
  await call("codex", place);
  loop(join(place.configDir, "hooks.yaml"));
  expect((await call("codex", place)).stdout).toContain("deny");
});

test("the marker follows the hooks: written with the first guard, changed with the last", async () => {
  const place = makePlace(null);
  const file = markerFile(place.env.ADJ_DATA_DIR ?? "");
  await call("codex", place);
  expect(() => readFileSync(file)).toThrow("ENOENT");
  writeFileSync(
    join(place.configDir, "hooks.yaml"),
    GUARD.replace("on: before_tool,", "on: before_tool, on_error: skip,"),
  );
  await call("codex", place);
  expect(() => readFileSync(file)).toThrow("ENOENT");
  writeFileSync(join(place.configDir, "hooks.yaml"), `${GUARD}# more\n`);
  await call("codex", place);
  expect(readFileSync(file, "utf8")).toContain(
    `\nguard\tcodex\tPreToolUse\t${place.configDir}\t*\n`,
  );
  writeFileSync(join(place.configDir, "hooks.yaml"), "hooks: []\n");
  await call("codex", place);
  expect(readFileSync(file, "utf8")).not.toContain("\nguard\t");
});

test("100,000 levels inside a call are refused by the guard that cannot look through them, or pass it", async () => {
  const program = GUARD.replace("{ builtin: deny }", "{ argv: [/bin/true] }");
  const place = makePlace(program.replace(' match: { command: "git push*" },', ""));
  const payload = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"x","cwd":"/","tool_input":{"a":${DEEP}}}`;
  expect((await call("codex", place, { payload })).stdout).toContain("deny");
});

test("a shell line of 100,000 levels is refused with a sentence", async () => {
  const payload = `{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/","tool_input":{"command":${DEEP}}}`;
  const { stdout } = await call("codex", makePlace(GUARD), { payload });
  expect(stdout).toContain("nested too deep to be read");
});

test.each([
  ["a line of 256 KB", 256 * 1024 - 5, false],
  ["a longer one", 256 * 1024, true],
])("%s is refused by its length alone: %s bytes, %s", async (_, length, isRefused) => {
  const place = makePlace(GUARD);
  const payload = JSON.stringify({
    ...{ session_id: "s", cwd: place.folder, hook_event_name: "PreToolUse", tool_name: "Bash" },
    tool_input: { command: `echo ${"a".repeat(length)}` },
  });
  const { stdout } = await call("codex", place, { payload });
  expect(stdout.includes("over 256 KB")).toBe(isRefused);
});
