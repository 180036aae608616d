// All agents with their facets loaded, for tests that are tables over agents.

import type { NativeFormat } from "../../src/agents/native/format.ts";
import { AGENTS, loadAdapters, loadFormats, loadInstallers } from "../../src/agents/roster.ts";
import type { AgentAdapter } from "../../src/agents/run/adapter.ts";
import type { HookAgent } from "../../src/agents/steps/hook-agent.ts";
import type { HookInstaller } from "../../src/agents/steps/installer.ts";

export const ADAPTERS = await loadAdapters();
export const INSTALLERS = await loadInstallers();
/** Those that programs are looked for by, in the order in which they are. */
export const PROGRAM_NAMES = ADAPTERS.flatMap(({ program }) => program ?? []);
export const FORMATS = await loadFormats();
const HOOK_AGENTS: readonly HookAgent[] = await Promise.all(
  AGENTS.flatMap(({ hooks }) => (hooks === undefined ? [] : [hooks()])),
);
export const HOOK_AGENT_NAMES = HOOK_AGENTS.map(({ name }) => name);

export const adapterOf = (name: string): AgentAdapter =>
  found(ADAPTERS.find((adapter) => adapter.name === name));

export const installerOf = (name: string): HookInstaller =>
  found(INSTALLERS.find(({ agent }) => agent === name));

export const formatOf = (name: string): NativeFormat =>
  found(FORMATS.find(({ agent }) => agent === name));

export const hookAgentOf = (name: string): HookAgent =>
  found(HOOK_AGENTS.find((agent) => agent.name === name));

function found<Facet>(facet: Facet | undefined): Facet {
  if (facet === undefined) throw new Error("no such agent, or it has no such facet");
  return facet;
}
