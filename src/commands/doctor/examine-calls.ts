// Whether what is installed can be called, and how long that takes.
import type { HookInstaller, InstallPlace } from "../../hooks/install/installer.ts";
import type { HookSet } from "../../hooks/rule.ts";
import { findProgram } from "../../process/find-program.ts";
import type { ScopeSeen } from "./entries.ts";
import { attention, type Finding, fine } from "./finding.ts";
import { type InstalledCall, listCalls } from "./installed-call.ts";
import { makeRoundTrip } from "./round-trip.ts";
import { makeSample } from "./sample-payload.ts";

export interface Examination {
  readonly place: InstallPlace;
  readonly set: HookSet;
  readonly signal: AbortSignal;
}

export interface CallsSeen {
  readonly p50Ms: number | null;
  readonly findings: readonly Finding[];
}

export async function examineCalls(
  installer: HookInstaller,
  installed: readonly ScopeSeen[],
  examination: Examination,
): Promise<CallsSeen> {
  const findings: Finding[] = [];
  let p50Ms: number | null = null;
  for (const { scope, seen } of installed)
    for (const call of listCalls(installer, seen)) {
      const checked = await examineCall(installer.agent, call, examination);
      findings.push({ ...checked.finding, text: `${scope}: ${checked.finding.text}` });
      p50Ms ??= checked.p50Ms;
    }
  return { p50Ms, findings };
}

// A hook program that is missing denies everything there (gemini 0.61, copilot 1.0.102).
const BLOCKING_WITHOUT: ReadonlySet<string> = new Set(["gemini", "copilot"]);

async function examineCall(
  agent: string,
  call: InstalledCall,
  { place, signal }: Examination,
): Promise<{ finding: Finding; p50Ms: number | null }> {
  if (call.kind !== "http") {
    const search = await findProgram(call.program, { path: place.env.PATH, cwd: place.root });
    if (search.kind !== "found") return { finding: judgeMissing(agent, call.program), p50Ms: null };
  }
  const payload = makeSample(agent, place.root, new Date());
  const trip = await makeRoundTrip({ call, payload, place, signal });
  const way = call.kind === "http" ? "over HTTP" : "through the installed command";
  if (trip.kind === "answered")
    return {
      finding: fine(`a round trip ${way} takes ${trip.p50Ms} ms (p50)`),
      p50Ms: trip.p50Ms,
    };
  const repair = `\`adj install ${agent}\` again, or look with \`adj log\``;
  return { finding: attention(`a round trip ${way} failed: ${trip.problem}`, repair), p50Ms: null };
}

function judgeMissing(agent: string, program: string): Finding {
  const effect = BLOCKING_WITHOUT.has(agent)
    ? `\`${agent}\` blocks every tool call`
    : `\`${agent}\` runs everything unguarded`;
  return attention(
    `the entries call \`${program}\`, which is not there: ${effect}`,
    `\`adj install ${agent}\` mends them, \`adj uninstall ${agent}\` takes them away`,
  );
}
