// A step as rules see it. Reads shell lines, so it is loaded only where there are rules.
import { AGENT_PROGRAMS } from "../../agents/roster.ts";
import type { HookAgent } from "../../agents/steps/hook-agent.ts";
import { quoteWord } from "../../core/command/words.ts";
import { findWorkTree } from "../../core/project/paths.ts";
import { classifyStep } from "../../core/shell/safety.ts";
import type { Envelope, StepSubject } from "../../core/step/envelope.ts";

interface SubjectContext {
  readonly agent: Pick<HookAgent, "shellLine" | "filePaths"> &
    Partial<Pick<HookAgent, "searchManner" | "lineFolder">>;
  readonly root: string;
  readonly home: string;
}

export function makeSubject(
  { agent, root, home }: SubjectContext,
  envelope: Envelope,
): StepSubject {
  const line = lineOf(agent, envelope);
  const workTree = line?.includes("--show-toplevel") ? findWorkTree(envelope.cwd) : null;
  const subject = {
    envelope,
    line,
    ...(workTree !== null && { workTree }),
    paths: agent.filePaths(envelope),
    root,
    home,
    ...agent.searchManner?.(envelope),
  };
  if (envelope.kind === undefined) return subject;
  return { ...subject, envelope: { ...envelope, safety: classifyStep(subject, AGENT_PROGRAMS) } };
}

/** A call that names a folder for its line changes into it first. */
function lineOf(agent: SubjectContext["agent"], envelope: Envelope): string | null {
  const line = agent.shellLine(envelope);
  const folder = agent.lineFolder?.(envelope) ?? null;
  if (line === null || folder === null || folder === envelope.cwd) return line;
  const [, home = "", rest = ""] = /^(~\/)?(.*)$/s.exec(folder) ?? [];
  return `cd ${home}${quoteWord(rest)} && ${line}`;
}
