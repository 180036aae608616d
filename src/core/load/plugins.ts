// Plugins: npm packages that the user named and that lie where the user's own layer finds packages.

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fault, fault } from "../command/fault.ts";
import { describeFileError, fileErrorCode } from "../project/files.ts";
import { asRecord, isRecord } from "../project/json-value.ts";
import { pathInside } from "../project/trust/candidate-paths.ts";

export interface Plugin {
  readonly name: string;
  /** The package's own folder. */
  readonly folder: string;
  /** Absolute, inside the package; null for a plugin without commands. */
  readonly commandsFolder: string | null;
  readonly hooksFile: string | null;
  readonly workflowsFolder: string | null;
}

/** Throws `FileInvalid` when the package is missing, is no plugin, or points outside itself. */
export function findPlugin(name: string, configDir: string): Plugin {
  const folder = findPackage(name, configDir);
  if (folder === null)
    throw invalidPlugin(
      name,
      "is not installed",
      `run \`npm install ${name}\` in \`${configDir}\``,
    );
  const declared = readDeclaration(name, join(folder, "package.json"));
  return {
    name,
    folder,
    commandsFolder: findPart({ name, folder, declared }, "commands"),
    hooksFile: findPart({ name, folder, declared }, "hooks"),
    workflowsFolder: findPart({ name, folder, declared }, "workflows"),
  };
}

const invalidPlugin = (name: string, problem: string, hint: string, cause?: unknown): Fault =>
  fault("FileInvalid", { problem: `the plugin \`${name}\` ${problem}` }, { hint, cause });

/** By Node's rule for packages, from the user's folder upwards; its `exports` have no say in this. */
function findPackage(name: string, configDir: string): string | null {
  for (let folder = configDir; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return realpathSync.native(candidate);
    if (dirname(folder) === folder) return null;
  }
}

type PluginDeclaration = Readonly<Record<string, unknown>>;

function readDeclaration(name: string, file: string): PluginDeclaration {
  const manifest = parseManifest(name, file);
  const declared = asRecord(manifest).adjutant;
  if (isRecord(declared)) return declared;
  throw invalidPlugin(
    name,
    "says nothing about Adjutant",
    'its package.json needs `"adjutant": { "commands": "./commands" }`',
  );
}

function parseManifest(name: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (fileErrorCode(error) === null && !(error instanceof SyntaxError)) throw error;
    throw invalidPlugin(
      name,
      `has no usable package.json: ${describeFileError(error)}`,
      "install it again",
      error,
    );
  }
}

interface DeclaredPlugin {
  readonly name: string;
  readonly folder: string;
  readonly declared: PluginDeclaration;
}

function findPart(
  { name, folder, declared }: DeclaredPlugin,
  part: "commands" | "hooks" | "workflows",
): string | null {
  const path = declared[part];
  if (path === undefined) return null;
  const target = typeof path === "string" ? join(folder, path) : null;
  if (target === null || !existsSync(target))
    throw invalidPlugin(
      name,
      `names \`${part}\` that are not there`,
      "install another version of it",
    );
  const real = realpathSync.native(target);
  if (real === folder || pathInside(folder, real) !== null) return real;
  throw invalidPlugin(name, `names \`${part}\` outside its own folder`, "remove it from `plugins`");
}

/** What a project asks for and the user has not enabled. */
export function missingPlugins(required: readonly string[], enabled: readonly string[]): Fault[] {
  return required
    .filter((name) => !enabled.includes(name))
    .map((name) =>
      invalidPlugin(
        name,
        "is required by this project and not enabled",
        `add it to \`plugins\` in your own \`config.yaml\` if you trust it`,
      ),
    );
}
