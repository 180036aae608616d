import type { ScriptedToolCall } from "./scripted-tool-call.ts";

/** A file change in the patch language of codex's `apply_patch`. */
export function buildPatch(call: ScriptedToolCall): string {
  const lines = (text: string, mark: string) =>
    text
      .replace(/\n$/, "")
      .split("\n")
      .map((line) => mark + line);
  const body =
    call.tool === "write"
      ? [`*** Add File: ${call.path}`, ...lines(call.content, "+")]
      : call.tool === "edit"
        ? [`*** Update File: ${call.path}`, "@@", ...lines(call.old, "-"), ...lines(call.new, "+")]
        : [];
  return ["*** Begin Patch", ...body, "*** End Patch", ""].join("\n");
}
