// A real host with the extension for workflows: real stores, real folders, the real script process, `replay` as the agent.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { JsonValue } from "../../../src/core/command/context.ts";
import type { CommandDefinition } from "../../../src/core/command/definition.ts";
import type { StoredEvent } from "../../../src/core/command/event.ts";
import type { Program } from "../../../src/core/commands/bundled.ts";
import { openHost } from "../../../src/session/host/open-host.ts";
import { readWorkflow } from "../../../src/workflow/definition/find-workflow.ts";
import { openJournal } from "../../../src/workflow/journal/sqlite-journal.ts";
import { openTestProgram } from "../../support/program-of-commands.ts";
import { writeFiles } from "../../support/temporary-folder.ts";
import { waitUntil } from "../../support/wait-until.ts";

interface WorkflowHostOptions {
  readonly commands?: Readonly<Record<string, CommandDefinition>>;
  /** What `replay` plays, for every conversation from its first part on. */
  readonly cassette?: object;
  /** What whoever starts a run has in the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

const NO_LIMITS = { usd: null, tokens: null, calls: null, timeMs: null };
const ENDED = new Set(["done", "failed", "stopped"]);

export async function openWorkflowHost(options: WorkflowHostOptions = {}) {
  const { commands = {}, cassette } = options;
  const testProgram = openTestProgram({ commands });
  if (cassette !== undefined)
    writeFiles(testProgram.configDir, {
      "cassette.json": JSON.stringify({ adjutant: 1, ...cassette }),
      "config.yaml": `params:\n  cassette: ${join(testProgram.configDir, "cassette.json")}\n`,
    });
  const journal = openJournal(testProgram.stateDir);
  const env = options.env ?? { PATH: process.env.PATH ?? "", HOME: testProgram.folder };
  let opened = await open(testProgram.program, env);
  onTestFinished(async () => {
    await opened.close();
    journal.close();
  });
  const { root } = testProgram;
  const place = { cwd: root, root, agent: "replay", model: null, mode: null };

  /** Written, looked at and allowed by a person. */
  const write = (name: string, text: string) => {
    writeFiles(root, { [name]: text });
    const { workflow } = readWorkflow(text, join(root, name));
    testProgram.program.sessions().approve(null, `workflow:${workflow.hash}`);
    return { file: join(root, name), hash: workflow.hash };
  };
  const call = (method: string, body: JsonValue) =>
    opened.host.callExtension("workflow", method, body, env);
  const describe = (name: string, text: string, more: object): JsonValue => ({
    ...{ ...place, limits: NO_LIMITS, atOnce: 4 },
    ...write(name, text),
    ...more,
  });
  const idIn = (reply: JsonValue): string =>
    typeof reply === "object" && reply !== null && "runId" in reply ? String(reply.runId) : "";
  const untilEnded = async (id: string, boundMs = 30_000) => {
    await waitUntil(() => ENDED.has(journal.readRun(id)?.status ?? ""), boundMs);
    await waitUntil(() => opened.host.extensions.busy === 0);
    return { run: journal.readRun(id), entries: journal.listEntries(id) };
  };
  return {
    ...{ testProgram, journal, env, root, write, call, untilEnded, place },
    host: () => opened.host,
    start: async (name: string, text: string, more: object = {}) =>
      idIn(await call("start", describe(name, text, more))),
    attach: async (name: string, text: string, more: object = {}) =>
      idIn(await call("attach", describe(name, text, { sessionId: "s", ...more }))),
    run: async (name: string, text: string, more: object = {}) =>
      untilEnded(idIn(await call("start", describe(name, text, more)))),
    send: (text: string, sessionId = "s") =>
      opened.host.send({
        ...{ sessionId, text, env },
        options: { ...{ cwd: root, root, agent: "replay", model: null, params: {}, via: null } },
      }),
    /** The host leaves and another one comes. */
    restart: async () => {
      await opened.close();
      opened = await open(testProgram.program, env);
      await opened.host.takeOver();
      await opened.host.extensions.takeOver();
    },
    events: (...types: string[]): StoredEvent[] =>
      [...testProgram.program.audit.read({})].filter(({ type }) => types.includes(type)),
  };
}

const open = (program: Program, env: Readonly<Record<string, string>>) =>
  openHost({ program, env, surface: "cli", stop: () => undefined, waitsForOthers: true });
