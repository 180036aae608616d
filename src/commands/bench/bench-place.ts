import type { CommandContext } from "../../command/context.ts";
import type { Program } from "../program.ts";

/** Where a bench command runs. */
export interface BenchPlace {
  readonly context: CommandContext;
  readonly program: Program;
}
