// `adj workflow resume RUN`: goes on with a run, or follows one that is alive. The file is read as it is now; what is
// finished and still asked for answers from the journal.
import { fault } from "../../core/command/fault.ts";
import type { CommandResult } from "../../core/command/result.ts";
import { hasLivingOwner } from "../engine/control.ts";
import type { WorkflowArguments } from "./arguments.ts";
