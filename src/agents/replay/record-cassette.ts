// A log becomes a cassette that plays the same run again, elsewhere and without secrets.
import { isAbsolute, relative } from "node:path";
import { splitWords } from "../../core/command/words.ts";
import { asRecord, type JsonRecord, mapTexts } from "../../core/project/json-value.ts";
import { maskSecrets } from "../../core/secrets/mask.ts";
import { orderEntries } from "../log/collect-entries.ts";
import { asName, asText } from "../log/json-fields.ts";
import type { LogToolCall, RunLog } from "../log/run-log.ts";
import type { Cassette, CassetteStep } from "./cassette.ts";

/** Further texts that must not be in it may be given, such as values of the agent's environment. */
export function recordCassette(log: RunLog, secrets: readonly string[] = []): Cassette {
  const root = log.environment.working_directory;
  const steps = orderEntries(log).flatMap((entry): CassetteStep[] => {
    if (entry.kind === "call") return [recordCall(entry.call, root)];
    const { role, content, parent } = entry.message;
    return role === "assistant" && parent === undefined ? [{ say: content }] : [];
  });
  const cassette: Cassette = {
    adjutant: 1,
    recorded: describeRecorded(log),
    steps,
    ...recordFigures(log),
  };
  return mapTexts(cassette, (text) => maskSecrets(makeRelative(text, root), secrets));
}

function describeRecorded(log: RunLog): NonNullable<Cassette["recorded"]> {
  const { name, version } = log.agent_info;
  const prompt = log.messages.find(({ role, parent }) => role === "user" && parent === undefined);
  return {
    agent: name,
    ...(version === "unknown" ? {} : { agent_version: version }),
    ...(log.model_info.name === null ? {} : { model: log.model_info.name }),
    ...(prompt === undefined ? {} : { prompt: prompt.content }),
  };
}

const FIGURES = [
  ...(["input_tokens", "output_tokens", "cache_read_tokens"] as const),
  ...(["cache_write_tokens", "reasoning_tokens"] as const),
];

function recordFigures({
  usage,
  cost,
  turns,
  stop_reason,
  execution,
  errors,
}: RunLog): Partial<Cassette> {
  const known = FIGURES.flatMap((name) =>
    usage[name] === null ? [] : [[name, usage[name]] as const],
  );
  const failure = errors[0]?.message ?? execution.status;
  return {
    ...(known.length === 0 ? {} : { usage: Object.fromEntries(known) }),
    ...(cost === null ? {} : { cost_usd: cost.usd }),
    ...(turns === null ? {} : { turns }),
    ...(stop_reason === null ? {} : { stop_reason }),
    ...(execution.status === "success" ? {} : { failure }),
  };
}

/** What can be done again is recorded as an action, all else with its result. */
function recordCall(call: LogToolCall, root: string): CassetteStep {
  const args = asRecord(call.arguments);
  const path = findWorkspacePath(args, root);
  const as = call.name;
  if (call.kind === "shell" && asName(args.command) !== null)
    return { shell: unwrapShell(asName(args.command) ?? ""), as };
  const content = asText(args.content) ?? asText(args.file_text);
  if (call.kind === "write" && path !== null && content !== null)
    return { write: { path, content }, as };
  const old = asName(args.old_string) ?? asName(args.oldString) ?? asName(args.old_str);
  const changed = asText(args.new_string) ?? asText(args.newString) ?? asText(args.new_str);
  if (call.kind === "edit" && path !== null && old !== null && changed !== null)
    return { edit: { path, old, new: changed }, as };
  return recordTool(call);
}

const recordTool = ({ name, arguments: given, result, is_error }: LogToolCall): CassetteStep => ({
  tool: {
    name,
    arguments: given,
    ...(result === undefined ? {} : { result }),
    ...(is_error === undefined ? {} : { is_error }),
  },
});

/** The path that a call names, relative to the workspace; null outside: a cassette writes nowhere else. */
function findWorkspacePath(args: JsonRecord, root: string): string | null {
  const path = asName(args.file_path) ?? asName(args.filePath) ?? asName(args.path);
  if (path === null) return null;
  const inside = isAbsolute(path) ? relative(root, path) : path;
  return inside.startsWith("..") || isAbsolute(inside) ? null : inside;
}

/** Codex shows its commands inside `/bin/bash -lc '…'`. */
function unwrapShell(command: string): string {
  if (!/^\S*sh -l?c /.test(command)) return command;
  try {
    const [, , inner, ...rest] = splitWords(command);
    return inner !== undefined && rest.length === 0 ? inner : command;
  } catch {
    // What cannot be split is shown as it stands.
    return command;
  }
}

/** The recorded workspace's own path means nothing where the cassette is played. */
const makeRelative = (text: string, root: string): string =>
  root === "" || root === "/" ? text : text.replaceAll(`${root}/`, "").replaceAll(root, ".");
