// Keeps an agent from switching its guards off: Adjutant's own folders, its entries in agents' files, a project's hooks
// and what they run, and the commands that are a person's. It is no user's rule: it is there with the first guard.
import { readFileSync } from "node:fs";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import { type Builtin, type BuiltinContext, NO_INTERVENTION, vetoBecause } from "./builtin.ts";
import { findPersonCall } from "./person-line.ts";
import { protectPaths } from "./protect-paths.ts";

export interface SelfOptions {
  /** Adjutant's own folders, and a project's hooks with what they run. */
  readonly own: readonly string[];
  /** Agents' settings: refused where they hold our entries, asked elsewhere. */
  readonly settings: readonly string[];
}

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];
const READ_ONLY: ReadonlySet<string | undefined> = new Set(["read", "search", "fetch"]);

export const selfProtection: Builtin<SelfOptions> = {
  name: "self-protection",
  description: "keeps Adjutant's own files, its entries and a person's commands from the agent",
  steps: STEPS,
  async decide({ own, settings }, subject, context) {
    if (READ_ONLY.has(subject.envelope.kind)) return NO_INTERVENTION;
    const refused = refusePersonCall(subject);
    if (refused !== null) return refused;
    const entries = settings.filter(holdsEntry);
    const others = settings.filter((file) => !entries.includes(file));
    const denied = await protect([...own, ...entries], "deny", { subject, context });
    if (denied.control === "veto" || others.length === 0) return denied;
    const asked = await protect(others, "ask", { subject, context });
    return Object.keys(denied).length > 0 ? denied : asked;
  },
};

function refusePersonCall(subject: StepSubject): Verdict | null {
  const line = analyzeStepLine(subject);
  if (line === null) return null;
  const context = { folder: subject.envelope.cwd, home: subject.home };
  const call = findPersonCall(line, context);
  if (call === null) return null;
  return vetoBecause(`\`${call}\` is for a person to run, outside the agent; ask for it in words`);
}

const REASON: Readonly<Record<"deny" | "ask", string>> = {
  deny: "it belongs to the guards of this agent, so a person changes it",
  ask: "it decides which hooks an agent calls",
};

/** A second name for a file is as good as the file. */
const LINKS = /(?:^|[\s;&|(/])(?:ln|link|mount|cp\s+(?:\S+\s+)*(?:-[a-zA-Z]*l|--link))\s/;

function protect(
  paths: readonly string[],
  action: "deny" | "ask",
  { subject, context }: { readonly subject: StepSubject; readonly context: BuiltinContext },
): Verdict | Promise<Verdict> {
  const isLinking = LINKS.test(subject.line ?? "");
  const options = {
    paths: paths.map((path) => path.replace(/[*?[{\\]/g, "\\$&")),
    access: isLinking ? (["read", "write"] as const).slice() : (["write"] as const).slice(),
    except: [],
    action,
    reason: REASON[action],
    unsure: "ask" as const,
    interpreters: "pass" as const,
  };
  return protectPaths.decide(options, subject, context);
}

const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;

function holdsEntry(file: string): boolean {
  try {
    const text = readFileSync(file, "utf8").slice(0, MAX_SETTINGS_BYTES);
    return /adj['"\\]*\s+hook\s|adj-hook|127\.0\.0\.1:\d+\/hook\/|adjutant/.test(text);
  } catch {
    return false;
  }
}
