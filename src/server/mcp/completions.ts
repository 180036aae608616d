// What a client may offer while somebody types: the choices of a prompt's argument, the ids of runs.
import type { CompleteRequest, CompleteResult } from "@modelcontextprotocol/server";
import { listRuns } from "../../agents/log/run-files.ts";
import type { ArgumentSchema } from "../../core/command/definition.ts";
import type { Connection } from "./host-calls.ts";
import { findPromptArgument } from "./prompts.ts";
import { isRunTemplate } from "./resources.ts";
import type { FoundSummary } from "./tools.ts";

/** The protocol takes no more. */
const MAX_VALUES = 100;

export function completeArgument(
  { program }: Connection,
  found: Iterable<FoundSummary>,
  { ref, argument }: CompleteRequest["params"],
): CompleteResult {
  const all =
    ref.type === "ref/prompt"
      ? choicesOf(findPromptArgument(found, ref.name, argument.name))
      : idsOf(program.stateDir, ref.uri);
  const fitting = all.filter((value) => value.startsWith(argument.value));
  const values = fitting.slice(0, MAX_VALUES);
  return {
    completion: { values, total: fitting.length, hasMore: fitting.length > values.length },
  };
}

const choicesOf = (schema: ArgumentSchema | undefined): readonly string[] =>
  schema?.type === "boolean" ? ["true", "false"] : (schema?.enum?.map(String) ?? []);

const idsOf = (stateDir: string, uri: string): readonly string[] =>
  isRunTemplate(uri) ? listRuns(stateDir) : [];
