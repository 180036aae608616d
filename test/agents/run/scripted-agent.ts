import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LogEvent } from "../../../src/agents/log/event.ts";
import {
  type AgentRun,
  type RunAgentOptions,
  runAgent,
} from "../../../src/agents/run/run-agent.ts";
import { adapterOf } from "../../support/agents.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

export interface Place {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
}

/** Real folders of one test, gone when it is over. */
export function makePlace(): Place {
  const folder = temporaryFolder("agents-");
  const place = { folder, workspace: join(folder, "workspace"), home: join(folder, "home") };
  mkdirSync(place.workspace);
  mkdirSync(place.home);
  return place;
}

/** An executable in the test's folder that stands in for an agent's CLI. */
export function makeProgram({ folder }: Place, body: string, name = "agent"): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

export interface Attempt {
  readonly agent?: string;
  readonly program: string;
  readonly config?: object;
  readonly timeout?: number;
  readonly env?: Record<string, string>;
  readonly options?: RunAgentOptions;
}

export interface Attempted extends AgentRun {
  readonly events: readonly LogEvent[];
}

export async function attempt(place: Place, attempted: Attempt): Promise<Attempted> {
  const events: LogEvent[] = [];
  const request = {
    config: { prompt: "do it", ...attempted.config },
    workspaceDir: place.workspace,
    timeout: attempted.timeout ?? 30_000,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: place.home,
      OPENAI_API_KEY: "sk-dummy",
      ...attempted.env,
    },
    runId: crypto.randomUUID(),
    logDir: join(place.folder, "log"),
    program: attempted.program,
  };
  const onEvent = (event: LogEvent) => events.push(event);
  const run = await runAgent(adapterOf(attempted.agent ?? "codex"), request, {
    onEvent,
    ...attempted.options,
  });
  return { ...run, events };
}

/** Lines of a shell script that print these events. */
export const print = (...records: readonly object[]): string =>
  records.map((record) => `printf '%s\\n' '${JSON.stringify(record)}'`).join("\n");

export const STARTED = { type: "thread.started", thread_id: "t-1" };
export const ANSWER = { type: "item.completed", item: { type: "agent_message", text: "Hello." } };
export const COMPLETED = { type: "turn.completed", usage: { input_tokens: 5, output_tokens: 6 } };
