// `adj workflow pause|stop RUN` and `skip|retry RUN CALL`: said in the journal, where the owner of the run looks for it.
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { BundledContext } from "../../core/commands/bundled.ts";
import {
  requestPause,
  requestRetry,
  requestSkip,
  requestStop,
  type Taking,
} from "../engine/control.ts";
import type { WorkflowArguments } from "./arguments.ts";
import { findCall, findWorkflowRun, takeWords, withJournal } from "./context.ts";

const RUN_REQUESTS = { pause: requestPause, stop: requestStop } as const;
const CALL_REQUESTS = { skip: requestSkip, retry: requestRetry } as const;

type RunAction = keyof typeof RUN_REQUESTS;
type CallAction = keyof typeof CALL_REQUESTS;

/** What is going to happen, by when it does. */
const RUN_WORDS: Readonly<Record<RunAction, Readonly<Record<Taking["kind"], string>>>> = {
  pause: {
    soon: "is paused in a moment: nothing new starts, what is under way goes on",
    now: "is paused",
    "at-resume": "is paused",
  },
  stop: {
    soon: "ends in a moment with all that is under way",
    now: "is stopped",
    "at-resume": "is stopped",
  },
};

const CALL_WORDS: Readonly<Record<CallAction, Readonly<Record<Taking["kind"], string>>>> = {
  skip: {
    soon: "is called off in a moment and gives nothing",
    now: "is skipped and gives nothing",
    "at-resume": "is skipped and gives nothing",
  },
  retry: {
    soon: "starts anew in a moment",
    now: "runs again when the run is resumed",
    "at-resume": "runs again when the run is resumed",
  },
};

export const controlRun = (
  action: RunAction,
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> => {
  const [word = ""] = takeWords(args, ["a run"]);
  return withJournal(caller, (journal) => {
    const { id } = findWorkflowRun(journal, word, caller.program.root);
    const { kind } = RUN_REQUESTS[action](journal, id);
    const text = `${id} ${RUN_WORDS[action][kind]}; go on with \`adj workflow resume ${id}\``;
    return ok(text, { run: id, taking: kind });
  });
};

export const controlCall = (
  action: CallAction,
  args: WorkflowArguments,
  caller: BundledContext,
): Promise<CommandResult> => {
  const [word = "", number = ""] = takeWords(args, ["a run", "a call of it, by its number"]);
  return withJournal(caller, (journal) => {
    const run = findWorkflowRun(journal, word, caller.program.root);
    const entry = findCall(journal, run, number);
    const { kind } = CALL_REQUESTS[action](journal, run.id, entry.number);
    const next = kind === "at-resume" ? `: \`adj workflow resume ${run.id}\`` : "";
    const text = `call ${entry.number} (${entry.label}) ${CALL_WORDS[action][kind]}${next}`;
    return ok(text, { run: run.id, call: entry.number, taking: kind });
  });
};
