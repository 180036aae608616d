// How dangerous one simple command is. Conservative: what is not known may change something.
import { SAFETIES, type StepSafety } from "../envelope.ts";
import { classifyGit } from "./classify-git.ts";
import { COMMAND_JUDGES } from "./command-judges.ts";
import { DESTRUCTIVE, NETWORK, READ_ONLY, VERSIONED } from "./command-table.ts";
import type { LineRedirection, SimpleCommand } from "./line-analysis.ts";
import { unwrapShell } from "./shell-call.ts";
import { DIVERTING_VARIABLES, RUNNERS, SHELLS } from "./wrappers.ts";

export function worstOf(safeties: Iterable<StepSafety>): StepSafety {
  let worst = 0;
  for (const safety of safeties) worst = Math.max(worst, SAFETIES.indexOf(safety));
  return SAFETIES[worst] ?? "destructive";
}

export function classifyCommand(command: SimpleCommand): StepSafety {
  return worstOf([
    classifyProgram(command),
    ...command.redirections.map(classifyRedirection),
    ...command.assignments.map(({ name }): StepSafety => {
      return name === "PATH" || DIVERTING_VARIABLES.test(name) ? "mutating" : "read_only";
    }),
  ]);
}

function classifyProgram(command: SimpleCommand): StepSafety {
  const [first, ...rest] = command.words;
  if (first === undefined) return "read_only";
  if (first.kind !== "literal") return "destructive";
  // The same command stands in the list under its plain name, which says nothing of `./ls`.
  if (first.text.includes("/")) return SYSTEM_PROGRAM.test(first.text) ? "read_only" : "mutating";
  const git = classifyGit(command);
  if (git !== null) return git;
  return classifyByName(
    first.text.toLowerCase(),
    rest.map((word) => word.text),
    command,
  );
}

const SYSTEM_PROGRAM = /^\/(usr\/|usr\/local\/|opt\/homebrew\/)?s?bin\/[^/]+$/;

function classifyByName(name: string, args: readonly string[], command: SimpleCommand): StepSafety {
  if (VERSIONED.has(name) && asksVersion(args)) return "read_only";
  const judge = COMMAND_JUDGES.get(name);
  if (judge !== undefined) return hideable(judge(args), command);
  if (DESTRUCTIVE.has(name) || name.startsWith("mkfs.")) return "destructive";
  if (READ_ONLY.has(name)) return "read_only";
  if (NETWORK.has(name)) return "network";
  // `sh -c` is as dangerous as its line, which is looked at by itself; a script's file is unknown.
  if (SHELLS.has(name)) return unwrapShell(command).length > 0 ? "read_only" : "mutating";
  return RUNNERS.get(name)?.includes(args[0] ?? "") === true ? "read_only" : "mutating";
}

/** An argument nobody can read yet may be the `-delete` that makes the difference. */
function hideable(safety: StepSafety, { words, takesMoreWords }: SimpleCommand): StepSafety {
  const mayHide =
    takesMoreWords || words.some(({ text, kind }) => kind === "open" && /^[$`]/.test(text));
  const isFind = words[0]?.text === "find" || words[0]?.text === "gfind";
  return safety === "read_only" && isFind && mayHide ? "mutating" : safety;
}

const asksVersion = (args: readonly string[]): boolean =>
  args.length === 1 && /^(--version|-v|-V|version|--help|-h)$/.test(args[0] ?? "");

const QUIET_DEVICES = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+|zero|full)$/;

function classifyRedirection(redirection: LineRedirection): StepSafety {
  if (redirection.kind === "text") return "read_only";
  const { target, writes } = redirection;
  if (/^\/dev\/(tcp|udp)\//.test(target.text)) return "network";
  if (!writes || (target.kind === "literal" && QUIET_DEVICES.test(target.text))) return "read_only";
  return /^\/dev\/(?!shm\/)/.test(target.text) ? "destructive" : "mutating";
}
