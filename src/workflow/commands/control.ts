// `adj workflow pause|stop RUN` and `skip|retry RUN CALL`: a wish in the journal, which the owner of the run looks for.
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Journal, RunRecord } from "../journal/journal.ts";
import type { WorkflowArguments } from "./arguments.ts";
import {
  findCall,
  findRunRecord,
  refuseUse,
  takeWords,
  type WorkflowContext,
  withJournal,
} from "./context.ts";
