import type { Command, CommandSummary } from "../command/command.ts";
import type { LayerSource } from "./layer-source.ts";

/** A file that defines one command. */
export interface CommandFile {
  readonly source: LayerSource;
  readonly path: string;
  readonly name: string;
  /** Counts reloads of this process. */
  readonly generation: number;
  readonly libraryUrl: string;
}

/** With a summary from the index the file was checked before, as it is now, and is not checked again. */
export type Loader = (file: CommandFile, known: CommandSummary | null) => Promise<Command>;
