// What `npm start` and `npm test` share: install what the lock file says, then go on under the pinned Node.
// Plain JavaScript that Node 20 can run; nothing here needs an installed package.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const MINIMUM = 24;

const hashOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");

/**
 * Installs what the lock file says, unless it is the one that was installed last. Not `npm ci`: that one
 * refuses a lock file without the packages of other platforms, which not every registry has.
 */
export function installLocked(folder) {
  // Linked packages belong to another checkout; to install here would change them under its feet.
  if (lstatSync(join(folder, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const lock = hashOf(join(folder, "package-lock.json"));
  const mark = join(folder, "node_modules", ".installed-lock");
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  console.error("installing dependencies …");
  // All that is bundled is a development dependency, also where the environment says `production`.
  const kinds = ["--include=dev", "--include=optional"];
  const args = ["install", ...kinds, "--no-save", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(mark, lock);
}

function pinnedNode() {
  const file = join(
    ROOT,
    "node_modules",
    `node-${process.platform}-${process.arch}`,
    "bin",
    "node",
  );
  // By its real path, as Node names itself: below a linked `node_modules` it would start itself for ever.
  return existsSync(file) ? realpathSync(file) : null;
}

/** Installs, then makes sure that the rest of the calling script, and the tools it starts, run on a Node that fits. */
export function enterWorkspace() {
  installLocked(ROOT);
  const pinned = pinnedNode();
  const isFitting = Number(process.versions.node.split(".")[0]) >= MINIMUM;
  if (pinned === null && isFitting) return;
  if (pinned === null) {
    console.error(
      `Node ${process.versions.node} is too old and no pinned one exists for ${process.platform}; install Node ${MINIMUM}`,
    );
    process.exit(2);
  }
  // The tools in `.bin` look for `node` on PATH.
  process.env.PATH = `${dirname(pinned)}:${process.env.PATH}`;
  if (pinned === process.execPath) return;
  const { status, signal } = spawnSync(pinned, process.argv.slice(1), { stdio: "inherit" });
  process.exit(signal === null ? (status ?? 1) : 1);
}

/** Runs one program of the workspace and ends with its exit code when it fails; a hint says what to do then. */
export function runStep(label, command, args, { hint = "", ...options } = {}) {
  console.error(`· ${label}`);
  const { status, signal } = spawnSync(command, args, { cwd: ROOT, stdio: "inherit", ...options });
  if (status !== 0) {
    console.error(`✗ ${label} failed (${signal ?? status})${hint === "" ? "" : `; ${hint}`}`);
    process.exit(status ?? 1);
  }
}

export const localBin = (name) => join(ROOT, "node_modules", ".bin", name);
