// docs/getting-started.md from the package as npm installs it, in a new home, by the Node that is there: every line is typed as it
// stands, `npm install` and `npm uninstall` too, and at the end nothing is left.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listNodes } from "../program/machine-nodes.ts";
import {
  publishFolder,
  publishTarball,
  type Registry,
  startRegistry,
} from "../program/registry.ts";
import { CHECKOUT } from "../support/checkout.ts";
import { removeFolder, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait-until.ts";
import { matchesPrinted, readSteps } from "./console-blocks.ts";
import { typeLine } from "./type-line.ts";

const { packCleanCopy } = await import(join(CHECKOUT, "scripts", "pack.mjs"));
const PAGE = join(CHECKOUT, "docs", "getting-started.md");
const PINNED = join(CHECKOUT, "node_modules", `node-${process.platform}-${process.arch}`);
const SETTINGS = '{ "model":"opus",\r\n\t"hooks" : { }  }';

let folder = "";
let registry: Registry;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "adjutant-first-")));
  const tarball = join(folder, packCleanCopy(folder).filename);
  const pinned = existsSync(PINNED) ? [publishFolder(realpathSync(PINNED), folder)] : [];
  registry = await startRegistry([publishTarball(tarball), ...pinned]);
}, 180_000);
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  removeFolder(folder);
});

interface NewHome {
  readonly home: string;
  readonly project: string;
  readonly prefix: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Of a person with one agent that can tell its version, and with settings for it. */
function makeNewHome(nodeFolder: string): NewHome {
  const home = temporaryFolder("adjutant-first-home-");
  const [project, prefix, tmp] = ["greeter", "npm", "tmp"].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [project, prefix, tmp]) mkdirSync(made);
  writeFiles(home, {
    "bin/claude": '#!/bin/sh\n[ "$1" = --version ] && echo 2.1.325\n',
    ".claude/settings.json": SETTINGS,
    "greeter/.git/HEAD": "ref: refs/heads/main\n",
  });
  chmodSync(join(home, "bin/claude"), 0o755);
  symlinkSync(join(nodeFolder, "node"), join(home, "bin/node"));
  const env = {
    HOME: home,
    TMPDIR: tmp,
    PATH: [join(prefix, "bin"), join(home, "bin"), "/usr/bin", "/bin"].join(delimiter),
    npm_config_registry: registry.url,
    npm_config_prefix: prefix,
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    npm_config_loglevel: "error",
  };
  return { home, project, prefix, env };
}

/**
 * What is not Adjutant's: the project itself, npm's own notes, and what Node keeps for npm and tsc where they run on 24. Adjutant
 * keeps none of that: on Node 20, where it alone runs on 24, the folder is not there.
 */
const OTHERS = /^greeter\/(?!\.adjutant)|^\.npm(?:\/|$)|^tmp\/node-compile-cache/;

/** Folders that anybody's programs share; they are empty. */
const EMPTIED = new Set([
  ...["npm/bin", "npm/lib", "npm/lib/node_modules", "npm/share", "npm/share/man"],
  ...["npm/share/man/man1", ".config", ".local", ".local/state", ".local/share", ".cache"],
]);

const listAll = (top: string): string[] =>
  readdirSync(top, { recursive: true, encoding: "utf8" }).toSorted();

const isRunning = (prefix: string): boolean =>
  readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(prefix);
    } catch {
      return false;
    }
  });

/** What the project depends on is not adjutant's; it is brought from here. */
function installTypeScript(project: string): void {
  mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
  symlinkSync(
    join(CHECKOUT, "node_modules", "typescript"),
    join(project, "node_modules/typescript"),
  );
  symlinkSync("../typescript/bin/tsc", join(project, "node_modules/.bin/tsc"));
}

async function typePage({ project, prefix, env }: NewHome): Promise<void> {
  for (const step of readSteps(PAGE)) {
    if (step.kind === "file") {
      mkdirSync(dirname(join(project, step.path)), { recursive: true });
      writeFileSync(join(project, step.path), step.content);
    } else if (step.typed === "npm install") installTypeScript(project);
    else {
      if (step.typed.startsWith("npm uninstall")) await waitUntil(() => !isRunning(prefix));
      const printed = await typeLine(step.typed, { cwd: project, env });
      // Npm says how much it did and how long it took.
      const told = step.typed.startsWith("npm") ? "" : printed;
      if (step.typed.startsWith("npm")) expect(printed).not.toMatch(/npm (?:error|warn)/);
      expect(
        matchesPrinted(step.printed, told),
        `line ${step.line}: $ ${step.typed}\n--- expected\n${step.printed}--- printed\n${printed}`,
      ).toBe(true);
    }
  }
}

test("the other lines of README: once by npx, and without the pinned Node", async () => {
  const { project, prefix, env } = makeNewHome(dirname(process.execPath));
  const place = { cwd: project, env };
  // Npm asks before it fetches; there is nobody to say yes.
  expect(await typeLine("npx --yes adjutant --version", place)).toMatch(/^\d+\.\d+\.\d+\n$/);
  await typeLine("npm install --global --cpu=none adjutant", place);
  expect(await typeLine("adj --version", place)).toMatch(/^\d+\.\d+\.\d+\n$/);
  const installed = join(prefix, "lib", "node_modules");
  expect(readdirSync(installed)).toEqual(["adjutant"]);
  const beside = readdirSync(join(installed, "adjutant"), { recursive: true, encoding: "utf8" });
  expect(beside.filter((path) => path.includes("node-linux"))).toEqual([]);
  expect(existsSync(join(prefix, "share", "man", "man1", "adj.1"))).toBe(true);
  expect(
    await typeLine("bash -c 'source <(adj completion bash) && complete -p adj'", place),
  ).toMatch(/^complete .* adj\n$/);
});

describe.each(listNodes())("on Node %s", (major, nodeFolder) => {
  test.runIf(Number(major) >= 20)(
    "the first ten minutes are as they are told, and leave nothing",
    { timeout: 300_000 },
    async () => {
      const place = makeNewHome(nodeFolder);
      const before = listAll(place.home);
      await typePage(place);
      expect(registry.fetched).toContain("adjutant");
      expect(readFileSync(join(place.home, ".claude/settings.json"), "utf8")).toBe(SETTINGS);
      const left = listAll(place.home).filter(
        (path) => !before.includes(path) && !OTHERS.test(path) && !EMPTIED.has(path),
      );
      expect(left).toEqual([]);
      expect(isRunning(place.prefix)).toBe(false);
    },
  );
});
