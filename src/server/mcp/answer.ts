// How a call stands, as an answer of the protocol. Clients show the model the text or the structure, some both, so each says
// all of it; together they stay below what the smallest client passes whole.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallMedia, CallOutcome, CallView } from "../calls/command-call.ts";
import { CANCEL_TOOL, WAIT_TOOL } from "./tools.ts";

/**
 * As JSON, where a line break counts two bytes and a colour code more, and each of them in two forms: below 16 KB together,
 * since Copilot 1.0.102 passes 19 KB and replaces 21 KB by a file.
 */
const MAX_OUTPUT_BYTES = 5_800;
const MAX_ERROR_BYTES = 900;
const MAX_DATA_BYTES = 700;
const MAX_QUESTION_BYTES = 1_000;
const MAX_HINT_BYTES = 300;

const outputAddress = (id: string): string => `adj://calls/${id}/output`;

export function answerCall(view: CallView): CallToolResult {
  return view.outcome === null ? answerUnfinished(view) : answerFinished(view, view.outcome);
}

function answerUnfinished({ id, name, status, question, progress }: CallView): CallToolResult {
  const next =
    question === null
      ? `\`${name}\` still runs as ${id}: call ${WAIT_TOOL} with this run_id until it is done, or ${CANCEL_TOOL}`
      : `${cut(question.text, MAX_QUESTION_BYTES)} – a person must answer ${question.id} first, in the console, on the page or by \`adj answer ${question.id} yes|no\` in a shell of their own; then call ${WAIT_TOOL} with run_id ${id}`;
  const structure = {
    status: status === "waiting" ? "waiting" : "running",
    run_id: id,
    ...(progress === null ? {} : { output: cut(progress, MAX_ERROR_BYTES) }),
    next,
  };
  return { content: [{ type: "text", text: next }], structuredContent: structure };
}

function answerFinished({ id }: CallView, outcome: CallOutcome): CallToolResult {
  const { exitCode, error, metadata } = outcome;
  const output = cut(outcome.output, MAX_OUTPUT_BYTES);
  const errors = [outcome.errorOutput, describeError(outcome)].filter((text) => text !== "");
  const errorOutput = cut([...new Set(errors)].join("\n"), MAX_ERROR_BYTES);
  const isCut = output.length < outcome.output.length;
  const isFailed = outcome.kind !== "ok" || exitCode !== 0;
  const json = JSON.stringify(metadata);
  const hasData = metadata !== null && jsonBytes(json) <= MAX_DATA_BYTES;
  const structure = {
    status: "done",
    run_id: id,
    exit_code: exitCode,
    output,
    ...(errorOutput === "" ? {} : { error_output: errorOutput }),
    ...(isCut ? { rest: outputAddress(id) } : {}),
    ...(hasData ? { data: metadata } : {}),
    ...(error?.hint == null ? {} : { next: cut(error.hint, MAX_HINT_BYTES) }),
  };
  const text = [
    output,
    errorOutput,
    isFailed ? `exit code ${exitCode}` : "",
    hasData ? `data: ${json}` : "",
    isCut ? `the whole output is the resource ${outputAddress(id)}` : "",
  ].filter((part) => part !== "");
  return {
    content: [
      { type: "text", text: text.length === 0 ? "done, without output" : text.join("\n") },
      ...(outcome.media === undefined ? [] : contentOf(id, outcome.media)),
      ...(isCut
        ? [
            {
              type: "resource_link" as const,
              uri: outputAddress(id),
              name: `the whole output of ${id}`,
              mimeType: "text/plain",
            },
          ]
        : []),
    ],
    structuredContent: structure,
    ...(isFailed ? { isError: true } : {}),
  };
}

/** Characters of base64, as an answer holds it: models take images of a few megabytes at the most. */
const MAX_INLINE_LENGTH = 1_400_000;

/** What a command printed that is no text; a large one is a resource that can be read. */
function contentOf(id: string, { mimeType, data }: CallMedia): CallToolResult["content"] {
  if (data === undefined) return [];
  const uri = outputAddress(id);
  if (data.length > MAX_INLINE_LENGTH)
    return [{ type: "resource_link", uri, name: `what ${id} printed`, mimeType }];
  if (mimeType.startsWith("image/")) return [{ type: "image", data, mimeType }];
  if (mimeType.startsWith("audio/")) return [{ type: "audio", data, mimeType }];
  return [{ type: "resource", resource: { uri, mimeType, blob: data } }];
}

const describeError = ({ error }: CallOutcome): string =>
  error === null ? "" : `${error.message}${error.hint === null ? "" : `; ${error.hint}`}`;

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** Of the words about what is left out. */
const CUT_BYTES = 60;

/** Cut in the middle, to so many bytes as JSON: how it began and how it ended both matter. */
export function cut(text: string, most: number): string {
  if (text.length <= most && jsonBytes(text) <= most) return text;
  const [head, tail] = [(most - CUT_BYTES) * 0.45, (most - CUT_BYTES) * 0.55];
  // A character is at least a byte, so neither can be longer than this.
  const from = takeBytes([...text.slice(0, head)], head).join("");
  const to = takeBytes([...text.slice(-tail)].reverse(), tail)
    .reverse()
    .join("");
  return `${from}\n… ${text.length - from.length - to.length} characters left out …\n${to}`;
}

/** Half of a pair, which a slice may begin or end with, is no character. */
function takeBytes(characters: readonly string[], most: number): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const character of characters) {
    if (!character.isWellFormed()) continue;
    bytes += jsonBytes(character);
    if (bytes > most) break;
    taken.push(character);
  }
  return taken;
}
