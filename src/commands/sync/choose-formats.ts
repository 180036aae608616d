// For whom and where: what `sync` and `import` have in common.
import { existsSync } from "node:fs";
import { fault } from "../../command/fault.ts";
import { misuse } from "../../command/misuse.ts";
import type { InstallPlace, InstallScope } from "../../hooks/install/installer.ts";
import type { NativeFormat } from "../../markdown/native/native-format.ts";
import { NATIVE_FORMATS, requireFormat } from "../../markdown/native/roster.ts";

/** A command belongs to a project more often than to a person. */
export function pickLayer(
  command: string,
  { user, project }: { readonly user: boolean; readonly project: boolean },
): InstallScope {
  if (user && project) throw misuse(command, "`--user` and `--project` exclude each other");
  return user ? "user" : "project";
}

/** Each once, in the order in which they were named. */
export const pickFormats = (names: readonly string[]): NativeFormat[] =>
  [...new Set(names)].map(requireFormat);

/** The agents that have a folder there. */
export function findFormats(scope: InstallScope, place: InstallPlace): NativeFormat[] {
  const found = NATIVE_FORMATS.filter(({ signsOf }) => signsOf(scope, place).some(existsSync));
  if (found.length > 0) return found;
  const where = scope === "project" ? place.root : place.home;
  throw fault(
    "ArgumentsInvalid",
    { command: "sync", problem: `no agent has a folder in ${where}` },
    { hint: `name one: ${NATIVE_FORMATS.map(({ agent }) => `\`${agent}\``).join(", ")}` },
  );
}
