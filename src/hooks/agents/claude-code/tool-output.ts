// A tool's result in Claude Code: a structure of the tool's own, which a replacement must have as well (2.1.325
// ignores a text for Bash).
import { asFlag, asRecord, asText, isRecord } from "../../../agents/json-fields.ts";
import type { Envelope, NativePayload } from "../../envelope.ts";
import { outputText } from "../build-envelope.ts";

export function readClaudeResult(payload: NativePayload) {
  if (payload.hook_event_name === "PostToolUseFailure")
    return { is_error: true, output: outputText(payload.error) };
  const response = payload.tool_response;
  const isError = isRecord(response) && asFlag(response.is_error) === true;
  return { is_error: isError, output: textOf(response) };
}

function textOf(response: unknown): string {
  const { stdout, stderr, file } = asRecord(response);
  const printed = [asText(stdout), asText(stderr)].filter((text) => text !== null && text !== "");
  if (typeof stdout === "string") return printed.join("\n");
  return asText(asRecord(file).content) ?? outputText(response);
}

/** Null where the shape of this tool's result is not known. */
export function toolOutputFields({ native, kind }: Envelope, output: string) {
  if (native.hook_event_name !== "PostToolUse") return null;
  if (kind === "mcp") return { updatedMCPToolOutput: output };
  const response = native.tool_response;
  if (typeof response === "string") return { updatedToolOutput: output };
  const { stdout, file } = asRecord(response);
  if (typeof stdout === "string")
    return { updatedToolOutput: { ...asRecord(response), stdout: output, stderr: "" } };
  if (typeof asRecord(file).content !== "string") return null;
  const numLines = output.split("\n").length;
  const replaced = { ...asRecord(file), content: output, numLines };
  return { updatedToolOutput: { ...asRecord(response), file: replaced } };
}
