// Everything of a project that can execute, read once: the folder `.adjutant` and the programs it names.
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Fault, fault } from "../../command/fault.ts";
import {
  describeFileError,
  listReadable,
  MAX_FILE_BYTES,
  readLinkedFile,
  readRegularFile,
  statOf,
  TOO_LARGE_PROBLEM,
} from "../files.ts";
import {
  fileFingerprint,
  fingerprintOfStat,
  folderFingerprint,
  hashTree,
  sha256,
  sortFiles,
  type TreeFile,
} from "../fingerprint.ts";
import { LAYER_FOLDER } from "../paths.ts";
import { pathInside } from "./candidate-paths.ts";
import { findDefinitions, isProgramSource, mayRunPrograms } from "./definitions.ts";
import type { PinReader } from "./pin-script.ts";
import { findPackages, type Pins, pinDefinitions } from "./pins.ts";

export interface SnapshotFile extends TreeFile {
  readonly fingerprint: string;
  /** It may define programs, so its text is needed whenever the tree is read. */
  readonly isSource: boolean;
}

export interface Tree {
  readonly hash: string;
  readonly files: readonly SnapshotFile[];
  /** Stat fingerprints by path, null where the stat proves nothing. */
  readonly folders: Readonly<Record<string, string | null>>;
  /** What definitions name as programs: a fingerprint, or null while nothing is there. */
  readonly programs: Readonly<Record<string, string | null>>;
  readonly pins: Pins;
}

interface TreeOptions {
  /** The sha256 of a file by path and fingerprint, from an earlier reading, where it is no source; it is not read again. */
  readonly known?: (path: string, fingerprint: string) => string | null;
  /** Gets the very bytes that were hashed. */
  readonly onFile?: (file: SnapshotFile, content: Buffer) => void;
}

interface TreeReader extends TreeOptions {
  readonly root: string;
  readonly files: Map<string, SnapshotFile>;
  readonly folders: Record<string, string | null>;
  readonly programs: Record<string, string | null>;
  /** The texts of the files that may define programs. */
  readonly sources: Map<string, string>;
  readonly texts: Map<string, string>;
}

/** Throws `TrustRefused`, naming it, at the first thing that cannot be trusted. */
export async function readTree(root: string, options: TreeOptions = {}): Promise<Tree> {
  const reading: TreeReader = {
    ...options,
    root,
    files: new Map(),
    folders: {},
    programs: {},
    sources: new Map(),
    texts: new Map(),
  };
  for (const found of walkLayer(root)) readFound(reading, found);
  for (const path of listAgentScripts(root)) pinReader(reading).watch(path);
  const definitions = await findDefinitions(root, reading.sources);
  const { inPlace, uncovered } = pinDefinitions(definitions, pinReader(reading));
  const covered = `${LAYER_FOLDER}/node_modules`;
  const ofModules = findPackages(root, reading.sources, (name) =>
    reading.files.has(`${covered}/${name}/package.json`),
  );
  const { packages } = ofModules;
  const pins = { inPlace, uncovered: [...ofModules.uncovered, ...uncovered], packages };
  const files = sortFiles([...reading.files.values()]);
  const { folders, programs } = reading;
  return { hash: hashTree(files), files, folders, programs, pins };
}

function pinReader(reading: TreeReader): PinReader {
  const { root, files, texts } = reading;
  return {
    root,
    pin: (path) => {
      readProgram(reading, path);
      if (files.get(path)?.kind !== "file") return reading.programs[path] === null ? null : "";
      const known = texts.get(path);
      if (known !== undefined) return known;
      const content = withRefusal(root, path, () => readLinkedFile(join(root, path)));
      // What was looked at must be what is copied, not what somebody puts there in between.
      if (sha256(content) !== files.get(path)?.sha256)
        throw refuseTrust(root, path, "changed while it was read");
      const text = content.toString("utf8");
      texts.set(path, text);
      return text;
    },
    watch: (path) => {
      const stat = statOf(join(root, path), statSync);
      if (stat?.isFile() !== true || stat.size > MAX_FILE_BYTES) return false;
      // What a link leads to outside is not the project's.
      if (!leadsInside(root, path, root)) return false;
      readProgram(reading, path);
      return true;
    },
  };
}

const MAX_AGENT_SCRIPTS = 1_000;

/**
 * The workflows that an agent keeps beside our layer, `.NAME/workflows/*.js`; they run here, too. One that comes later is
 * noticed when it is looked for: it is not in the copy.
 */
function listAgentScripts(root: string): string[] {
  // Most of what begins with a dot is a file, or has no such folder in it.
  const folders = listReadable(root).filter(
    (name) => /^\.[^.]/.test(name) && name !== LAYER_FOLDER,
  );
  return folders
    .map((name) => `${name}/workflows`)
    .flatMap((folder) => listReadable(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith(".js"))
    .toSorted()
    .slice(0, MAX_AGENT_SCRIPTS);
}

function readFound(reading: TreeReader, found: FoundPath): void {
  const { path, stat } = found;
  if (found.kind === "folder") reading.folders[path] = folderFingerprint(stat, Date.now());
  else if (found.kind === "file") readFile(reading, { path, real: join(reading.root, path), stat });
  else {
    const content = Buffer.from(found.target);
    const facts = { path, kind: "link", isExecutable: false, isSource: false } as const;
    addFile(
      reading,
      { ...facts, sha256: sha256(content), fingerprint: fingerprintOfStat(stat) },
      content,
    );
  }
}

interface FileToRead {
  readonly path: string;
  /** Where its content lies. */
  readonly real: string;
  readonly stat: Stats;
}

function readFile(reading: TreeReader, { path, real, stat }: FileToRead): void {
  const fingerprint = fingerprintOfStat(stat);
  const isExecutable = (stat.mode & 0o111) !== 0;
  const facts = { path, kind: "file", isExecutable, fingerprint } as const;
  const known = reading.known?.(path, fingerprint) ?? null;
  if (known !== null) {
    reading.files.set(path, { ...facts, sha256: known, isSource: false });
    return;
  }
  const content = withRefusal(reading.root, path, () => readRegularFile(real));
  const text = isProgramSource(path) ? content.toString("utf8") : null;
  const isSource = text !== null && mayRunPrograms(path, text);
  if (text !== null && isSource) reading.sources.set(path, text);
  addFile(reading, { ...facts, sha256: sha256(content), isSource }, content);
}

function readProgram(reading: TreeReader, path: string): void {
  const { root } = reading;
  if (path in reading.programs) return;
  const fingerprint = fileFingerprint(join(root, path));
  reading.programs[path] = fingerprint;
  if (fingerprint === null || reading.files.has(path)) return;
  if (!leadsInside(root, path, root))
    throw refuseTrust(root, path, "is a link to something outside the project");
  const real = realpathSync.native(join(root, path));
  // Reached through a link of the layer, which is copied as a link.
  if (reading.files.has(pathInside(realpathSync.native(root), real) ?? path)) return;
  readFile(reading, { path, real, stat: lstatSync(real) });
}

function addFile(reading: TreeReader, file: SnapshotFile, content: Buffer): void {
  reading.files.set(file.path, file);
  reading.onFile?.(file, content);
}

// Finds what lies in `.adjutant`. Nothing there is trusted yet: nothing is opened or followed, and
// the walk ends however large the tree is.

interface FoundAt {
  /** From the project's root, with `/`. */
  readonly path: string;
  readonly stat: Stats;
}
type FoundPath =
  | (FoundAt & { readonly kind: "folder" })
  | (FoundAt & { readonly kind: "file" })
  | (FoundAt & { readonly kind: "link"; readonly target: string });

const MAX_FILES = 20_000;
const MAX_BYTES = 100 * 1024 * 1024;
const MAX_DEPTH = 64;

/** Throws `TrustRefused` at the first thing that cannot be trusted. */
function* walkLayer(root: string): Generator<FoundPath> {
  const pending = [LAYER_FOLDER];
  let entries = 0;
  let bytes = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const found = identify(root, path);
    yield found;
    if (found.kind === "folder") for (const inner of listFolder(root, path)) pending.push(inner);
    entries += 1;
    bytes += found.kind === "file" ? found.stat.size : 0;
    if (entries + pending.length > MAX_FILES)
      throw refuseTrust(root, LAYER_FOLDER, `holds more than ${MAX_FILES} files`);
    if (bytes > MAX_BYTES)
      throw refuseTrust(root, LAYER_FOLDER, `holds more than ${MAX_BYTES / 1024 / 1024} MB`);
  }
}

function listFolder(root: string, folder: string): string[] {
  if (folder.split("/").length > MAX_DEPTH)
    throw refuseTrust(root, folder, `lies more than ${MAX_DEPTH} folders deep`);
  const names = withRefusal(root, folder, () => readdirSync(join(root, folder)));
  return names.map((name) => `${folder}/${name}`);
}

function identify(root: string, path: string): FoundPath {
  const stat = statOf(join(root, path), lstatSync);
  if (stat === null) throw refuseTrust(root, path, "cannot be looked at");
  if (stat.isDirectory()) return { kind: "folder", path, stat };
  if (path === LAYER_FOLDER)
    throw refuseTrust(root, path, `is ${stat.isSymbolicLink() ? "a link, " : ""}not a folder`);
  if (stat.isSymbolicLink()) return { kind: "link", path, stat, target: checkLink(root, path) };
  if (!stat.isFile()) throw refuseTrust(root, path, `is ${nameKind(stat)}, not a file`);
  if (stat.size > MAX_FILE_BYTES)
    throw refuseTrust(root, path, `cannot be read: ${TOO_LARGE_PROBLEM}`);
  return { kind: "file", path, stat };
}

const nameKind = (stat: Stats): string => {
  if (stat.isFIFO()) return "a FIFO";
  return stat.isSocket() ? "a socket" : "a device";
};

/** A link is copied as it is, so it must lead to something that is copied too. */
function checkLink(root: string, path: string): string {
  const layer = join(root, LAYER_FOLDER);
  const link = join(root, path);
  const target = withRefusal(root, path, () => readlinkSync(link));
  const isInside =
    !isAbsolute(target) && pathInside(layer, resolve(dirname(link), target)) !== null;
  // Links on the way may lead elsewhere than the text of the path says.
  if (!isInside || !leadsInside(root, path, layer))
    throw refuseTrust(root, path, `is a link to \`${target}\`, outside \`${LAYER_FOLDER}\``);
  return target;
}

/**
 * Whether what a path really leads to lies in this folder. Only the system's own `realpath` knows:
 * Node's takes `link/..` in a link's text for nothing (24.21, a link through a link got out).
 */
function leadsInside(root: string, path: string, folder: string): boolean {
  return withRefusal(root, path, () => {
    return pathInside(realpathSync.native(folder), realpathSync.native(join(root, path))) !== null;
  });
}

/** Why this project cannot be trusted, naming the path from its root that is to blame. */
function refuseTrust(root: string, path: string, problem: string, cause?: unknown): Fault {
  return fault(
    "TrustRefused",
    { root, problem: `\`${path}\` ${problem}` },
    { hint: "remove or replace it, then trust again", cause },
  );
}

/** Does something with a path that may be unreadable; what fails is a refusal. */
function withRefusal<Result>(root: string, path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw refuseTrust(root, path, `cannot be read: ${describeFileError(error)}`, error);
  }
}
