// What users install: packs it, lints the tarball, installs it in an empty folder, alone, and runs it there.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installAlone, packCleanCopy } from "./pack.mjs";
import { localBin, ROOT } from "./workspace.mjs";

/** One of each kind: what is started, imported, read by editors and by people. */
const HELD = [
  "bin/adj",
  "dist/adj.cjs",
  "dist/console-screen.mjs",
  "dist/library.js",
  "dist/types/library.d.ts",
  "dist/THIRD-PARTY.txt",
  "LICENSE",
  "README.md",
];

const LIBRARY = `
import { createAdjutant } from "adjutant";
const adjutant = await createAdjutant({ cwd: process.cwd() });
const outcome = await adjutant.dispatch({ name: "help" });
await adjutant.close();
if (outcome.kind !== "ok") throw new Error(JSON.stringify(outcome));
`;

const TYPED = `
import { createAdjutant, defineCommand, ok, z } from "adjutant";
import { runAgent } from "adjutant/agents";
import { defineHook } from "adjutant/hooks";
import * as markdown from "adjutant/markdown";
export const used = [createAdjutant, runAgent, defineHook, markdown];
export default defineCommand({
  description: "Typed",
  args: z.object({ times: z.number() }),
  // @ts-expect-error: a number has no such method, and that is known only if the types of zod are there.
  run: ({ times }) => ok(times.toUpperCase()),
});
`;

/** Without `skipLibCheck`, so that a type that is not there is an error. */
const TYPE_CHECK = [
  "--noEmit --strict --module nodenext --target es2024 --lib es2024,esnext.disposable --types node".split(
    " ",
  ),
  ["--typeRoots", join(ROOT, "node_modules", "@types"), "typed.ts"],
].flat();

const folder = mkdtempSync(join(tmpdir(), "adjutant-package-"));
const home = join(folder, "home");
const run = (program, args, options = {}) =>
  execFileSync(program, args, {
    cwd: home,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });

try {
  const packed = packCleanCopy(folder);
  const tarball = join(folder, packed.filename);
  const held = new Set(packed.files.map(({ path }) => path));
  const missing = HELD.filter((path) => !held.has(path));
  if (missing.length > 0) throw new Error(`the package lacks ${missing.join(", ")}`);
  run(localBin("publint"), [tarball, "--strict"], { cwd: ROOT, stdio: "inherit" });

  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{ "private": true, "type": "module" }');
  installAlone(tarball, home);
  const modules = readdirSync(join(home, "node_modules")).filter((name) => !name.startsWith("."));
  if (modules.length !== 1) throw new Error(`it brings along ${modules.join(", ")}`);
  const env = {
    ...process.env,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: join(folder, "config"),
  };
  const adj = join(home, "node_modules", ".bin", "adj");
  const version = run(adj, ["--version"], { env }).trim();
  if (version !== packed.version)
    throw new Error(`the packed adj says ${version}, expected ${packed.version}`);
  const outcome = JSON.parse(run(adj, ["--json", "commands"], { env }));
  if (outcome.kind !== "ok") throw new Error(`the packed adj failed: ${JSON.stringify(outcome)}`);
  run(process.execPath, ["--input-type=module", "-e", LIBRARY], { env });
  writeFileSync(join(home, "typed.ts"), TYPED);
  run(localBin("tsc"), TYPE_CHECK, { stdio: "inherit" });
  console.error(
    `  ${packed.files.length} files, ${Math.round(packed.size / 1024)} KiB packed; installs and runs`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
