import { asList, asName, asRecord } from "../json-fields.ts";

export interface PermissionPolicy {
  /** Adjutant's own words. */
  readonly mode: string;
  /** Tool names or kinds, for `allowlist`. */
  readonly allowed: readonly string[];
}

export interface PermissionDecision {
  readonly isAllowed: boolean;
  /** The option to choose, or null where the agent offers none that fits. */
  readonly optionId: string | null;
}

/** Nobody is there to be asked: `auto` allows, `allowlist` what is listed, all else is refused. */
export function decidePermission(
  { mode, allowed }: PermissionPolicy,
  names: readonly string[],
  offered: unknown,
): PermissionDecision {
  const isListed = names.some((name) => allowed.includes(name));
  const isAllowed = mode === "auto" || (mode === "allowlist" && isListed);
  const kinds = isAllowed ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const options = asList(offered).map(asRecord);
  const chosen = kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
  const optionId = asName(chosen?.optionId);
  return { isAllowed: isAllowed && optionId !== null, optionId };
}
