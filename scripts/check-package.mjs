// What users install: packs it, lints the tarball, installs it in an empty folder and runs it there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localBin, ROOT } from "./workspace.mjs";

const folder = mkdtempSync(join(tmpdir(), "adjutant-package-"));
const run = (program, args, options = {}) =>
  execFileSync(program, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    ...options,
  });

try {
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT }),
  );
  const tarball = join(folder, packed.filename);
  run(localBin("publint"), [tarball, "--strict"], { cwd: ROOT, stdio: "inherit" });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  run("npm", [
    "install",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--ignore-scripts",
    tarball,
  ]);
  const env = {
    ...process.env,
    ADJ_STATE_DIR: join(folder, "state"),
    ADJ_CONFIG_DIR: join(folder, "config"),
  };
  const adj = join(folder, "node_modules", ".bin", "adj");
  const version = run(adj, ["--version"], { env }).trim();
  if (version !== packed.version)
    throw new Error(`the packed adj says ${version}, expected ${packed.version}`);
  const outcome = JSON.parse(run(adj, ["--json", "commands"], { env }));
  if (outcome.kind !== "ok") throw new Error(`the packed adj failed: ${JSON.stringify(outcome)}`);
  const library =
    'import { createAdjutant } from "adjutant"; const a = await createAdjutant({ cwd: process.cwd() }); const o = await a.dispatch({ name: "help" }); await a.close(); if (o.kind !== "ok") throw new Error(JSON.stringify(o));';
  run(process.execPath, ["--input-type=module", "-e", library], { env });
  console.error(
    `  ${packed.files.length} files, ${Math.round(packed.size / 1024)} KiB packed; installs and runs`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
