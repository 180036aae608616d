// What a client may read: logs and transcripts of runs, reports of suites, workflows as they stand, outputs too long for an
// answer. Each is what a command of ours prints.
import type { Resource } from "@modelcontextprotocol/server";
import { fault } from "../../core/command/fault.ts";
import { type Connection, readByCommand, waitForCall } from "./host-calls.ts";

interface ResourceKind {
  readonly template: string;
  readonly pattern: RegExp;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  /** The words of the command that prints it. */
  readonly words: (id: string) => readonly [name: string, ...args: string[]];
}

/** A name never begins like a flag or a path. */
const KINDS: readonly ResourceKind[] = [
  {
    template: "adj://runs/{id}/log",
    pattern: /^adj:\/\/runs\/(\w[\w-]*)\/log$/,
    name: "log of a run",
    description: "what an agent did in a run: messages, tool calls, tokens, cost, errors",
    mimeType: "application/json",
    words: (id) => ["agent", "log", id, "--json"],
  },
  {
    template: "adj://runs/{id}/transcript",
    pattern: /^adj:\/\/runs\/(\w[\w-]*)\/transcript$/,
    name: "transcript of a run",
    description: "the same to be read",
    mimeType: "text/markdown",
    words: (id) => ["agent", "log", id, "--md"],
  },
  {
    template: "adj://bench/{id}/report",
    pattern: /^adj:\/\/bench\/(\w[\w.-]*)\/report$/,
    name: "report of a suite",
    description: "which agent did the job best",
    mimeType: "text/markdown",
    words: (id) => ["bench", "report", id, "--md", "-"],
  },
  {
    template: "adj://workflows/{id}/state",
    pattern: /^adj:\/\/workflows\/(\w[\w-]*)\/state$/,
    name: "state of a workflow",
    description: "its calls, what waits and why, what it has cost",
    mimeType: "text/plain",
    words: (id) => ["workflow", "show", id],
  },
];

const OUTPUT = /^adj:\/\/calls\/(c[0-9a-f]{12})\/output$/;

export const RESOURCE_TEMPLATES = [
  ...KINDS.map(({ template: uriTemplate, name, description, mimeType }) => ({
    ...{ uriTemplate, name, description, mimeType },
  })),
  {
    uriTemplate: "adj://calls/{id}/output",
    name: "whole output of a call",
    description: "what was too long for the answer of a tool",
    mimeType: "text/plain",
  },
];

export const isRunTemplate = (uri: string): boolean => uri.startsWith("adj://runs/{id}/");

/** So many of the newest runs are named. */
const MAX_LISTED = 20;

export async function listResources({ program }: Connection): Promise<Resource[]> {
  const { listRuns } = await import("../../agents/log/run-files.ts");
  return listRuns(program.stateDir)
    .slice(0, MAX_LISTED)
    .map((id) => ({
      uri: `adj://runs/${id}/transcript`,
      name: `transcript of ${id}`,
      mimeType: "text/markdown",
    }));
}

interface ResourceText {
  readonly text: string;
  readonly mimeType: string;
}

interface ResourceBytes {
  /** In base64. */
  readonly blob: string;
  readonly mimeType: string;
}

export async function readResource(
  connection: Connection,
  uri: string,
  client: string,
): Promise<ResourceText | ResourceBytes> {
  const [, call] = OUTPUT.exec(uri) ?? [];
  if (call !== undefined) {
    const { outcome } = await waitForCall(connection, call, { ms: 0 });
    const { mimeType, data: blob } = outcome?.media ?? {};
    if (mimeType !== undefined && blob !== undefined) return { blob, mimeType };
    return { text: outcome?.output ?? "", mimeType: "text/plain" };
  }
  for (const { pattern, words, mimeType } of KINDS) {
    const [, id] = pattern.exec(uri) ?? [];
    if (id === undefined) continue;
    const [name, ...args] = words(id);
    const { output } = await readByCommand(connection, { name, args, client });
    return { text: output, mimeType };
  }
  throw fault(
    "InputInvalid",
    { what: "a resource", problem: `there is no \`${uri}\`` },
    { hint: "resources/templates/list says which there are" },
  );
}
