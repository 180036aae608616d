// From the flags to what the entries say.
import { misuse } from "../../command/misuse.ts";
import type { HookAbilities } from "../../hooks/agents/hook-agent.ts";
import { loadHookSet } from "../../hooks/hook-set.ts";
import { abilitiesOf } from "../../hooks/install/abilities.ts";
import { listGuardedSteps } from "../../hooks/install/guarded-steps.ts";
import type {
  EntryWish,
  HookInstaller,
  HttpTarget,
  InstallScope,
} from "../../hooks/install/installer.ts";
import {
  hookUrl,
  prepareHttpEntry,
  readHttpEntry,
  removeHttpEntry,
} from "../../resident/http-entry.ts";
import type { Program } from "../program.ts";

export interface WishArguments {
  readonly http: boolean;
  readonly shimsOnly: boolean;
  readonly dryRun: boolean;
}

export interface WishDesk {
  readonly args: WishArguments;
  readonly scope: InstallScope;
  readonly program: Program;
}

export async function makeWish(
  installer: HookInstaller,
  command: string,
  { args, scope, program }: WishDesk,
): Promise<EntryWish> {
  const abilities = abilitiesOf(installer.agent);
  if (args.shimsOnly) refuseShimsOnly(installer, abilities);
  if (args.http) refuseHttp(installer, scope);
  return {
    command,
    limitMs: abilities.hookLimitMs,
    guarded: listGuardedSteps(await loadHookSet({ paths: program, root: program.root })),
    http: args.http
      ? await findHttpTarget(installer.agent, { stateDir: program.stateDir, isDryRun: args.dryRun })
      : null,
    isShimsOnly: args.shimsOnly,
  };
}

function refuseShimsOnly({ agent, kind }: HookInstaller, { shims }: HookAbilities): void {
  if (kind === "plugin" || shims !== "env-file")
    throw misuse(
      "install",
      `\`--shims-only\` is not possible on \`${agent}\`: its virtual commands need more than the session start`,
    );
}

function refuseHttp(installer: HookInstaller, scope: InstallScope): void {
  if (installer.kind === "plugin" || !installer.canHttp)
    throw misuse(
      "install",
      `\`--http\` is not possible on \`${installer.agent}\`: it would run everything when nobody answers`,
    );
  // The entry holds the resident's secret and the port of one machine.
  if (scope === "project") throw misuse("install", "`--http` and `--project` exclude each other");
}

/** Where no entry calls it any more the resident listens no longer. */
export function closeHttpDoor(
  installer: HookInstaller,
  scope: InstallScope,
  { stateDir }: Program,
): void {
  if (installer.kind === "entries" && installer.canHttp && scope === "user")
    removeHttpEntry(stateDir);
}

/** What a dry run shows where none was made yet. */
const NO_ENTRY = { port: 0, secret: "made-at-install" };

async function findHttpTarget(
  agent: string,
  { stateDir, isDryRun }: { readonly stateDir: string; readonly isDryRun: boolean },
): Promise<HttpTarget> {
  const entry = isDryRun ? (readHttpEntry(stateDir) ?? NO_ENTRY) : await prepareHttpEntry(stateDir);
  return {
    url: hookUrl(entry, agent),
    headers: {
      Authorization: `Bearer ${entry.secret}`,
      "X-Adj-Project": "$CLAUDE_PROJECT_DIR",
    },
    variables: ["CLAUDE_PROJECT_DIR"],
  };
}
