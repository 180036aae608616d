// `adj hooks init`: a first hooks file.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installContextOf, pickInstallScope } from "../../agents/commands/install-target.ts";
import type { InstallScope } from "../../agents/steps/installer.ts";
import type { CommandContext } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import { type CommandResult, ok } from "../../core/command/result.ts";
import { escapeLine } from "../../core/command/words.ts";
import type { Program } from "../../core/commands/bundled.ts";
import { createFile, refuseLinks } from "../../core/project/files.ts";
import { LAYER_FOLDER } from "../../core/project/paths.ts";
import { findCallingAgents } from "../install/coverage.ts";
import type { HooksArguments } from "./hooks-arguments.ts";

export async function initHooks(
  args: HooksArguments,
  context: CommandContext,
  program: Program,
): Promise<CommandResult> {
  const scope = pickInstallScope("hooks", args);
  const folder = scope === "user" ? program.configDir : join(program.root, LAYER_FOLDER);
  const file = join(folder, "hooks.yaml");
  if (scope === "project") refuseLinks(program.root, file);
  if (existsSync(file))
    throw fault(
      "InputInvalid",
      { what: `\`${file}\``, problem: "it is there already" },
      { hint: "edit it; see what it says with `adj hooks list`" },
    );
  createFile(file, STARTER);
  const nextSteps = await listInitSteps(scope, context, program);
  return ok([`wrote ${escapeLine(file)}`, ...nextSteps.map((step) => `next: ${step}`)].join("\n"), {
    file,
    scope,
    nextSteps,
  });
}

async function listInitSteps(
  scope: InstallScope,
  context: CommandContext,
  program: Program,
): Promise<string[]> {
  const isCalled = (await findCallingAgents(installContextOf(context, program))).length > 0;
  return [
    "edit it to your taste; `adj hooks list` shows what is in force",
    ...(scope === "project" ? ["`adj trust`; until then a project's hooks do not count"] : []),
    ...(isCalled ? [] : ["`adj install` shows the agents here, `adj install AGENT` installs"]),
  ];
}

/** What `adj hooks init` writes: guards that most people want, each to be kept, changed or removed. */
export const STARTER = `# Guards for coding agents. Look at the outcome with \`adj hooks list\`, try one with
#   adj hooks test before_tool --command 'git push --force'
# All builtins: \`adj hooks builtins\`. A program of your own: \`run: { argv: [./my-guard] }\`.
adjutant: 1
hooks:
  # Git commands that lose work, however they are written: behind \`sudo\`, in \`sh -c\`, by an alias.
  - name: no-lost-work
    on: before_tool
    match: { kind: shell }
    run:
      builtin: git
      with:
        forbid: [force-push, mirror, delete-remote, reset-hard, clean, rewrite-history, hidden]

  # And what is often meant, but gone when it was not: where something would be lost, a person is asked.
  - name: ask-before-discarding
    on: before_tool
    match: { kind: shell }
    run: { builtin: git, with: { forbid: [discard, stash-drop, branch-delete], action: ask } }

  # Files that neither git nor a build nor this session can bring back; a home or the project itself never.
  - name: no-lost-files
    on: before_tool
    run: { builtin: rm }

  # Keys and tokens neither in files nor in commits.
  - name: no-secrets
    on: before_tool
    run: { builtin: no-secrets }

  # What an agent may not read, and what only its own tool may change.
  - name: secret-files
    on: before_tool
    run:
      builtin: protect-paths
      with: { paths: ["**/.env", "**/.env.*", ~/.ssh, ~/.aws], except: ["**/.env*.{example,sample,template}"] }
  - name: lock-files
    on: before_tool
    run:
      builtin: protect-paths
      with:
        paths: ["**/package-lock.json", "**/pnpm-lock.yaml", "**/yarn.lock", "**/Cargo.lock"]
        access: [write]
        reason: let the package manager write it

  # A person is asked before anything goes to a host that is not listed; agents that cannot ask refuse. Package managers
  # and git talk to the hosts you chose for them; \`everyday: ask\` has these asked about too.
  - name: ask-network
    on: before_tool
    run: { builtin: ask-network, with: { hosts: [localhost, 127.0.0.1] } }

  # While it fails the agent goes on, three times at most. Name your tests, then switch it on.
  - name: tests-before-stop
    on: before_turn_end
    run: { builtin: tests-before-stop, with: { argv: [npm, test] } }
    timeout: 50s
    enabled: false
`;
