// `npm test [-- PATH …]`: install, build where the built program is tested, run the quick tests. Also behind
// `npm run test:long` and `npm run test:agents`. Arguments go to vitest.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { leaveAgent } from "./leave-agent.mjs";
import { enterWorkspace, installLocked, localBin, ROOT, runStep } from "./workspace.mjs";

enterWorkspace();
const [tier = "quick", ...words] = process.argv.slice(2);
await leaveAgent();
if (tier === "quick") useMemoryFolder();
warnInsideProject();
const paths = words.filter((word) => existsSync(join(ROOT, word)));
// What is named is run whole, not as a sample.
if (paths.length > 0) process.env.ADJ_TEST_NAMED = "1";
if (tier === "live") {
  installLocked(join(ROOT, "lab"));
  // TypeScript, so only after the pinned Node has taken over.
  const { isInLab, LAB_AGENTS, missingMessage } = await import("../test/live/lab.ts");
  for (const agent of LAB_AGENTS) if (!isInLab(agent)) console.error(`  ${missingMessage(agent)}`);
}
const types = paths.length === 0 || needsBuild(paths) ? await build() : null;
runStep(`${tier} tests`, localBin("vitest"), ["run", "--project", `${tier}*`, ...words]);
if (types !== null && (await types.ended) !== 0) process.exit(1);

/** The types take as long as the rest and one test alone waits for them: they are made beside the tests. */
async function build() {
  const { buildBundles } = await import("./build.mjs");
  const { removeTypes } = await import("./build-types.mjs");
  await buildBundles();
  removeTypes();
  const file = join(ROOT, "scripts", "build-types.mjs");
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "inherit", "inherit"] });
  process.on("exit", () => child.kill());
  return { ended: once(child, "exit").then(([code]) => code ?? 1) };
}

/**
 * Quick tests make thousands of files and databases, and each fresh database waits for the disk: in memory the whole takes
 * a seventh less of the processor and half of the waiting. The long tier keeps the disk.
 */
function useMemoryFolder() {
  const [memory, needed] = ["/dev/shm", 4 * 1024 ** 3];
  if (process.env.TMPDIR !== undefined || !existsSync(memory)) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < needed) return;
  const folder = mkdtempSync(join(memory, "adj-"));
  // Tests run as another user as well, and make programs there.
  chmodSync(folder, 0o755);
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  if (spawnSync(program).status !== 0) return rmSync(folder, { recursive: true });
  process.env.TMPDIR = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
}

/** Tests of what has no project above it make their folders there. */
function warnInsideProject() {
  for (let folder = tmpdir(); folder !== dirname(folder); folder = dirname(folder))
    for (const mark of [".git", ".adjutant"])
      if (existsSync(join(folder, mark)))
        console.error(
          `  tests of folders outside any project will fail here: \`${join(folder, mark)}\` is there; remove it or set TMPDIR`,
        );
}

/** Whether a test below these paths, or what it imports of test/, speaks of the built program. */
function needsBuild(given) {
  const rest = given.flatMap((path) =>
    statSync(join(ROOT, path)).isDirectory()
      ? readdirSync(join(ROOT, path), { recursive: true })
          .filter((file) => file.endsWith(".test.ts"))
          .map((file) => join(path, file))
      : [path],
  );
  const seen = new Set();
  for (let file = rest.pop(); file !== undefined; file = rest.pop()) {
    if (seen.has(file) || !existsSync(join(ROOT, file))) continue;
    seen.add(file);
    const text = readFileSync(join(ROOT, file), "utf8");
    if (/"bin", "adj"|"dist"|dist\//.test(text)) return true;
    for (const [, specifier] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
      if (target.startsWith("test/")) rest.push(target);
    }
  }
  return false;
}
