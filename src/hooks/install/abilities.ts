import type { HookAbilities } from "../agents/hook-agent.ts";
import { findHookAgent } from "../agents/roster.ts";

/** Every agent with an installer has a codec. */
export function abilitiesOf(agent: string): HookAbilities {
  const found = findHookAgent(agent);
  if (found === null) throw new TypeError(`no codec of ${agent}`);
  return found.abilities;
}
