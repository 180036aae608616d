// Everything of a project that can execute, read once: the folder `.adjutant` and the programs it names.
import { lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf, folderFingerprint, statOf } from "./fingerprint.ts";
import { findNamedPrograms, PROGRAM_SOURCES, pathInside } from "./named-programs.ts";
import { LAYER_FOLDER } from "./project-root.ts";
import { readRegularFile } from "./regular-file.ts";
import { hashTree, sha256, sortFiles, type TreeFile } from "./trust-hash.ts";
import { refuseTrust, withRefusal } from "./trust-refusal.ts";
import { type Found, leadsInside, walkLayer } from "./trust-walk.ts";

export interface SeenFile extends TreeFile {
  readonly fingerprint: string;
}

export interface Tree {
  readonly hash: string;
  readonly files: readonly SeenFile[];
  /** Stat fingerprints by path, null where the stat proves nothing. */
  readonly folders: Readonly<Record<string, string | null>>;
  /** What YAML files name as programs: a fingerprint, or null while nothing is there. */
  readonly programs: Readonly<Record<string, string | null>>;
}

export interface TreeOptions {
  /** The sha256 of a file by path and fingerprint, from an earlier reading; it is not read again. */
  readonly known?: (path: string, fingerprint: string) => string | null;
  /** Gets the very bytes that were hashed. */
  readonly onFile?: (file: SeenFile, content: Buffer) => void;
}

interface Reading extends TreeOptions {
  readonly root: string;
  readonly files: Map<string, SeenFile>;
  readonly folders: Record<string, string | null>;
  readonly programs: Record<string, string | null>;
  /** The texts of the YAML files that name programs. */
  readonly sources: Map<string, string>;
}

/** Throws `TrustRefused`, naming it, at the first thing that cannot be trusted. */
export async function readTree(root: string, options: TreeOptions = {}): Promise<Tree> {
  const reading: Reading = {
    ...options,
    root,
    files: new Map(),
    folders: {},
    programs: {},
    sources: new Map(),
  };
  for (const found of walkLayer(root)) readFound(reading, found);
  for (const path of await findNamedPrograms(root, reading.sources)) readProgram(reading, path);
  const files = sortFiles([...reading.files.values()]);
  return { hash: hashTree(files), files, folders: reading.folders, programs: reading.programs };
}

function readFound(reading: Reading, found: Found): void {
  const { path, stat } = found;
  if (found.kind === "folder") reading.folders[path] = folderFingerprint(stat, Date.now());
  else if (found.kind === "file") readFile(reading, { path, real: join(reading.root, path), stat });
  else {
    const content = Buffer.from(found.target);
    const facts = { path, kind: "link", isExecutable: false } as const;
    add(reading, { ...facts, sha256: sha256(content), fingerprint: fingerprintOf(stat) }, content);
  }
}

interface FileToRead {
  readonly path: string;
  /** Where its content lies. */
  readonly real: string;
  readonly stat: Stats;
}

const SOURCES: ReadonlySet<string> = new Set(
  PROGRAM_SOURCES.map((name) => `${LAYER_FOLDER}/${name}`),
);

function readFile(reading: Reading, { path, real, stat }: FileToRead): void {
  const fingerprint = fingerprintOf(stat);
  const facts = {
    path,
    kind: "file",
    isExecutable: (stat.mode & 0o111) !== 0,
    fingerprint,
  } as const;
  const known = reading.known?.(path, fingerprint) ?? null;
  if (known !== null && !SOURCES.has(path)) {
    reading.files.set(path, { ...facts, sha256: known });
    return;
  }
  const content = withRefusal(reading.root, path, () => readRegularFile(real));
  if (SOURCES.has(path)) reading.sources.set(path, content.toString("utf8"));
  add(reading, { ...facts, sha256: sha256(content) }, content);
}

function readProgram(reading: Reading, path: string): void {
  const { root } = reading;
  const fingerprint = programFingerprint(root, path);
  reading.programs[path] = fingerprint;
  if (fingerprint === null || reading.files.has(path)) return;
  if (!leadsInside(root, path, root))
    throw refuseTrust(root, path, "is a link to something outside the project");
  const real = realpathSync.native(join(root, path));
  // Reached through a link of the layer, which is copied as a link.
  if (reading.files.has(pathInside(realpathSync.native(root), real) ?? path)) return;
  readFile(reading, { path, real, stat: lstatSync(real) });
}

/** Of the file a path leads to; a folder or nothing is no program. */
export function programFingerprint(root: string, path: string): string | null {
  const stat = statOf(join(root, path), statSync);
  return stat?.isFile() === true ? fingerprintOf(stat) : null;
}

function add(reading: Reading, file: SeenFile, content: Buffer): void {
  reading.files.set(file.path, file);
  reading.onFile?.(file, content);
}
