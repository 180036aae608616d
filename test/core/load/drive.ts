import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { CommandSummary } from "../../../src/core/command/definition.ts";
import { RUNTIME, type World } from "./world.ts";

const DRIVER = fileURLToPath(new URL("./fixtures/driver.ts", import.meta.url));
/** The same with one catalog over all steps, as a program has it. */
export const CATALOG_DRIVER = fileURLToPath(
  new URL("./fixtures/catalog-driver.ts", import.meta.url),
);

interface Answer {
  readonly kind?: string;
  readonly layer?: string;
  readonly summary?: CommandSummary;
  readonly result?: unknown;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly problems?: readonly string[];
}

export interface Driven {
  readonly answers: readonly Answer[];
  readonly warnings: readonly string[];
  readonly stderr: string;
}

/** Runs the steps in a Node process without a test runner, which has its own way to import modules. */
export function drive(
  world: World,
  steps: readonly object[],
  options: { readonly cwd?: string; readonly uid?: number; readonly driver?: string } = {},
): Driven {
  const request = { cwd: options.cwd ?? world.root, paths: world.paths, runtime: RUNTIME, steps };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [options.driver ?? DRIVER, JSON.stringify(request)],
    {
      encoding: "utf8",
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    },
  );
  try {
    return { ...JSON.parse(stdout), stderr };
  } catch {
    throw new Error(`the driver said ${stdout}\n${stderr}`);
  }
}
