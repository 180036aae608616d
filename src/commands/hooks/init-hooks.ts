import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../../command/context.ts";
import { fault } from "../../command/fault.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { createFile } from "../../config/create-file.ts";
import { LAYER_FOLDER } from "../../config/project-root.ts";
import type { InstallScope } from "../../hooks/install/installer.ts";
import { pickScope, placeOf, refuseAgent } from "../install/target.ts";
import type { Program } from "../program.ts";
import { findCallingAgents } from "./calling-agents.ts";
import type { HooksArguments } from "./hooks-arguments.ts";
import { STARTER } from "./starter.ts";

export function initHooks(
  args: HooksArguments,
  context: CommandContext,
  program: Program,
): CommandResult {
  const scope = pickScope("hooks", args);
  refuseAgent("hooks", context);
  const folder = scope === "user" ? program.configDir : join(program.root, LAYER_FOLDER);
  const file = join(folder, "hooks.yaml");
  if (existsSync(file))
    throw fault(
      "InputInvalid",
      { what: `\`${file}\``, problem: "it is there already" },
      { hint: "edit it; see what it says with `adj hooks list`" },
    );
  createFile(file, STARTER);
  const nextSteps = listNextSteps(scope, context, program);
  return ok([`wrote ${file}`, ...nextSteps.map((step) => `next: ${step}`)].join("\n"), {
    file,
    scope,
    nextSteps,
  });
}

function listNextSteps(scope: InstallScope, context: CommandContext, program: Program): string[] {
  const isCalled = findCallingAgents(placeOf(context, program)).length > 0;
  return [
    "edit it to your taste; `adj hooks list` shows what is in force",
    ...(scope === "project" ? ["`adj trust`; until then a project's hooks do not count"] : []),
    ...(isCalled ? [] : ["`adj install` shows the agents here, `adj install AGENT` installs"]),
  ];
}
