// What the agents call the canonical steps, for people who know a step by the name of an agent's event. It is written
// out, since a hooks file is read where no agent is loaded; a test holds it against the agents' own tables.
import { nearestNames } from "../../core/command/names.ts";
import { STEPS, type StepName } from "../../core/step/step.ts";

const EVENTS: Readonly<Partial<Record<StepName, readonly string[]>>> = {
  session_start: ["SessionStart"],
  before_prompt: ["UserPromptSubmit", "UserPromptSubmitted", "BeforeAgent", "chat.message"],
  before_tool: ["PreToolUse", "BeforeTool", "tool.execute.before"],
  after_tool: ["PostToolUse", "PostToolUseFailure", "AfterTool", "tool.execute.after"],
  before_permission: ["PermissionRequest", "permission.ask"],
  before_turn_end: ["Stop", "AgentStop", "AfterAgent", "session.idle"],
  before_compact: ["PreCompact", "PreCompress", "session.compacting"],
  after_compact: ["PostCompact", "session.compacted"],
  subagent_start: ["SubagentStart"],
  subagent_end: ["SubagentStop"],
  notification: ["Notification"],
  session_end: ["SessionEnd", "session.deleted"],
};

/** `PreToolUse`, `preToolUse` and `pre_tool_use` are one name. */
const plain = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, "");

/** The steps that somebody may have meant: by an agent's own name for one, else by what is spelt like it. */
export function nearestSteps(word: string): readonly string[] {
  const named = STEPS.filter((step) =>
    [step, ...(EVENTS[step] ?? [])].some((name) => plain(name) === plain(word)),
  );
  return named.length > 0 ? named : nearestNames(word, STEPS);
}
