import type { ToolKind } from "../../agents/tool-kind.ts";
import type { StepSafety } from "../envelope.ts";
import type { StepSubject } from "../subject.ts";
import { classifyLine } from "./classify-line.ts";
import { lineOf } from "./subject-line.ts";

const BY_KIND: Readonly<Record<ToolKind, StepSafety>> = {
  shell: "mutating",
  read: "read_only",
  search: "read_only",
  fetch: "network",
  write: "mutating",
  edit: "mutating",
  mcp: "mutating",
  agent: "mutating",
  other: "mutating",
};

/** How dangerous the tool call of a step is; a step without a tool counts as unknown. */
export function classifyStep(subject: StepSubject): StepSafety {
  const line = lineOf(subject);
  if (line !== null) return classifyLine(line);
  return BY_KIND[subject.envelope.kind ?? "other"];
}
