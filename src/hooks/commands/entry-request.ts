// From the flags of `adj install` to what the entries say.
import { existsSync, statSync } from "node:fs";
import type {
  EntryRequest,
  HookInstaller,
  HookScope,
  HttpTarget,
  InstallContext,
} from "../../agents/steps/installer.ts";
import { fault, misuse } from "../../core/command/fault.ts";
import { joinWords, quoteWord } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { findDataDir } from "../../core/project/paths.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";
import { listGuardedSteps } from "../install/coverage.ts";
import { heldLimitOf } from "../install/hold-limit.ts";
import { EVERYWHERE, IN_FORCE, linesOf, readMarker } from "../pipeline/guard-marker.ts";
import { loadHookSet } from "../pipeline/set.ts";
import { writeRefusals } from "../pipeline/write-marker.ts";
import {
  hookUrl,
  prepareHttpEntry,
  readHttpEntry,
  removeHttpEntry,
} from "../resident/http-entry.ts";

export interface EntryArguments {
  readonly http: boolean;
  readonly shimsOnly: boolean;
  readonly dryRun: boolean;
}

interface EntryContext {
  readonly args: EntryArguments;
  readonly scope: HookScope;
  readonly program: Program;
  readonly target: InstallContext;
}

export async function makeEntryRequest(
  installer: HookInstaller,
  words: readonly string[],
  { args, scope, program, target }: EntryContext,
): Promise<EntryRequest> {
  if (args.shimsOnly) refuseShimsOnly(installer);
  if (args.http) {
    refuseHttp(installer, scope);
    refuseShared(installer.configFile("user", target));
  }
  const set = await loadHookSet({ paths: program, root: program.root });
  const guarded = new Set(listGuardedSteps(set));
  // Whoever writes it for everybody wants it to be asked, whatever guards each of them has.
  if (scope === "managed") guarded.add("before_tool");
  // The user's entries count in every project: what another one's guards need stays, wherever this is called.
  if (scope === "user")
    for (const step of guardedElsewhere(
      installer.agent,
      program,
      findDataDir(target.env, target.home),
    ))
      guarded.add(step);
  // It is the user's own setting: those who share a project's entries wait as long only by theirs.
  const heldLimitMs = scope === "managed" ? null : heldLimitOf(installer.abilities, set.holdMs);
  return {
    command: joinWords(words),
    // The event is for the client, which cannot read a payload; the program itself can.
    ...(scope === "user" ? { client: words } : {}),
    limitMs: installer.abilities.hookLimitMs,
    ...(heldLimitMs === null ? {} : { heldLimitMs }),
    guarded,
    ...(scope === "user" ? {} : { refusals: await listRefusals(installer, guarded) }),
    http: args.http
      ? await findHttpTarget(installer, { stateDir: program.stateDir, isDryRun: args.dryRun })
      : null,
    isShimsOnly: args.shimsOnly,
  };
}

/** Steps at which guards of other projects blocked at the last good look there. */
function guardedElsewhere(
  agent: string,
  { configDir, root }: Program,
  dataDir: string,
): StepName[] {
  const others = linesOf(readMarker(dataDir) ?? "", "set").filter(
    ([config, where = ""]) =>
      config === configDir && where !== EVERYWHERE && where !== root && existsSync(where),
  );
  const held = others.flatMap(([, , steps = ""]) =>
    steps.split(" ").flatMap((each) => {
      const [step = "", agents = ""] = each.split("=");
      return agents === EVERYWHERE || agents.split(",").includes(agent) ? [step] : [];
    }),
  );
  return STEPS.filter((step) => held.includes(step));
}

/** What is said to who has no `adj`: only where guards are in force, so that the others can go on without it. */
async function listRefusals(
  installer: HookInstaller,
  guarded: ReadonlySet<StepName>,
): Promise<ReadonlyMap<string, string>> {
  const all = await writeRefusals(installer, `${NOT_HERE}; ${IN_FORCE}`);
  return new Map(
    all.filter(({ step }) => guarded.has(step)).map(({ event, answer }) => [event, answer]),
  );
}

const NOT_HERE =
  "the hooks here need Adjutant, and its program adj is not there; install it, or ask who set the hooks up";

function refuseShimsOnly({ agent, kind, abilities }: HookInstaller): void {
  if (kind === "plugin" || abilities.shims !== "env-file")
    throw misuse(
      "install",
      `\`--shims-only\` is not possible on \`${agent}\`: its virtual commands need more than the session start`,
    );
}

function refuseHttp(installer: HookInstaller, scope: HookScope): void {
  if (installer.kind === "plugin" || !installer.canHttp)
    throw misuse(
      "install",
      `\`--http\` is not possible on \`${installer.agent}\`: it would run everything when nobody answers`,
    );
  // The entry holds the resident's secret and the port of one machine.
  if (scope !== "user") throw misuse("install", `\`--http\` and \`--${scope}\` exclude each other`);
}

/** The entry holds a secret: who has it can answer for the agent's guards, and run what they run. */
function refuseShared(file: string): void {
  if (!isOpenToOthers(file)) return;
  throw fault(
    "FileInvalid",
    { problem: "others can read it, and `--http` writes a secret into it" },
    {
      where: { file },
      hint: `\`chmod 600 ${quoteWord(file)}\` first, or install without \`--http\``,
    },
  );
}

/** Whether anybody but its owner may do something with the file. */
export const isOpenToOthers = (file: string): boolean =>
  ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;

/** Where no entry calls it any more the resident listens no longer. */
export function closeUnusedHttp(
  installer: HookInstaller,
  scope: HookScope,
  { stateDir }: Program,
): void {
  if (installer.kind === "entries" && installer.canHttp && scope === "user")
    removeHttpEntry(stateDir);
}

/** What a dry run shows where none was made yet. */
const NO_ENTRY = { port: 0, secret: "made-at-install" };

async function findHttpTarget(
  { agent, abilities }: HookInstaller,
  { stateDir, isDryRun }: { readonly stateDir: string; readonly isDryRun: boolean },
): Promise<HttpTarget> {
  const entry = isDryRun ? (readHttpEntry(stateDir) ?? NO_ENTRY) : await prepareHttpEntry(stateDir);
  const variables = abilities.projectVariables.slice(0, 1);
  return {
    url: hookUrl(entry, agent),
    headers: {
      Authorization: `Bearer ${entry.secret}`,
      ...Object.fromEntries(variables.map((name) => ["X-Adj-Project", `$${name}`])),
    },
    variables,
  };
}
