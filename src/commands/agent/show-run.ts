import type { RunLog } from "../../agents/run-log.ts";
import { writeHtmlTranscript } from "../../agents/transcript/html-transcript.ts";
import { writeMarkdownTranscript } from "../../agents/transcript/markdown-transcript.ts";
import { writeTextTranscript } from "../../agents/transcript/text-transcript.ts";
import type { CommandContext } from "../../command/context.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import type { Program } from "../program.ts";
import { screenWidth } from "../screen-width.ts";
import type { AgentArguments } from "./agent-arguments.ts";
import { findRun, readLog } from "./run-files.ts";

/** A run as a transcript, or as its log; the newest one where none is named. */
export async function showRun(
  args: AgentArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const folder = findRun(program.stateDir, args.subject);
  const log = readLog(folder);
  return ok(present(log, args, context), { log, folder });
}

function present(log: RunLog, { json, html, md }: AgentArguments, context: CommandContext): string {
  if (json) return JSON.stringify(log, null, 2);
  if (html) return writeHtmlTranscript(log);
  if (md) return writeMarkdownTranscript(log);
  const width = screenWidth(context);
  return writeTextTranscript(log, width === null ? {} : { width });
}
