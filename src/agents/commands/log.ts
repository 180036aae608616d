// `adj agent log`: what a run did, to be read or as data.
import type { CommandContext } from "../../core/command/context.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { screenWidth } from "../../core/terminal/render.ts";
import { findRun, readLog } from "../log/run-files.ts";
import type { RunLog } from "../log/run-log.ts";
import { writeHtmlTranscript } from "../log/transcript/html.ts";
import { writeMarkdownTranscript } from "../log/transcript/markdown.ts";
import { writeTextTranscript } from "../log/transcript/text.ts";
import type { AgentArguments } from "./arguments.ts";

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
