// One agent's file in a home of its own, and what install and uninstall do to it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type {
  EntryInstaller,
  EntryRequest,
  HookInstaller,
  InstallScope,
} from "../../../src/agents/steps/installer.ts";
import { installHooks, uninstallHooks } from "../../../src/hooks/install/change.ts";
import { INSTALLERS } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export const ENTRY_INSTALLERS: readonly EntryInstaller[] = INSTALLERS.filter(
  (installer): installer is EntryInstaller => installer.kind === "entries",
);

export const requestFor = (agent: string, changes: Partial<EntryRequest> = {}): EntryRequest => ({
  command: `adj hook ${agent}`,
  limitMs: 30_000,
  guarded: new Set(),
  http: null,
  isShimsOnly: false,
  ...changes,
});

export function openBench(installer: HookInstaller, scope: InstallScope = "user") {
  const folder = temporaryFolder();
  const place = { env: {}, home: join(folder, "home"), root: join(folder, "project") };
  const stateDir = join(folder, "state");
  for (const made of [place.home, place.root, stateDir]) mkdirSync(made);
  const file = installer.configFile(scope, place);
  const client = ["adj", "hook"];
  const request = { scope, target: place, stateDir, client };
  return {
    folder,
    file,
    place,
    stateDir,
    write: (bytes: string | Uint8Array) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    },
    read: () => (existsSync(file) ? readFileSync(file) : null),
    text: () => readFileSync(file, "utf8"),
    install: (changes: Partial<EntryRequest> = {}) =>
      installHooks(installer, requestFor(installer.agent, changes), request),
    tryInstall: () =>
      installHooks(installer, requestFor(installer.agent), { ...request, isDryRun: true }),
    uninstall: () => uninstallHooks(installer, request),
  };
}
