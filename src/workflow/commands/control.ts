// `adj workflow pause|stop RUN` and `skip|retry RUN CALL`: said in the journal, where the owner of the run looks for it.
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { WorkflowArguments } from "./arguments.ts";
import {
  findCall,
  findRunRecord,
  refuseUse,
  takeWords,
  type WorkflowContext,
  withJournal,
} from "./context.ts";
