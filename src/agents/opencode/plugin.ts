// opencode has no hook entries, only plugins that run inside it. Ours is this text: it hands each step to the hook
// client as JSON and does what the JSON answer says. Measured on opencode 1.18.33.
import { ENTRY_LIMIT_WORD, limitOfStep } from "../../core/step/step.ts";
import type { PluginFacts } from "../steps/installer.ts";
import { PLUGIN_LIMIT_MS } from "./hooks.ts";

/** `client` is the program and the words before the agent's name. */
export function makePluginSource(
  [program = "", ...words]: readonly string[],
  { isGuarded, askLimitMs }: PluginFacts,
): string {
  return `// Written by \`adj install opencode\`, replaced by the next one and removed by \`adj uninstall opencode\`.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, sep } from "node:path";

const PROGRAM = ${JSON.stringify(program)};
const WORDS = ${JSON.stringify([...words, "opencode"])};
const LIMIT_MS = ${PLUGIN_LIMIT_MS};
const TURN_END_LIMIT_MS = ${limitOfStep("before_turn_end", PLUGIN_LIMIT_MS)};
const ASK_LIMIT_MS = ${askLimitMs};
const WAS_GUARDED = ${isGuarded};
${HELPERS}${PLUGIN}`;
}

const HELPERS = `
const run = (program, words, { input, env, limit = LIMIT_MS }) =>
  new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], env });
    const chunks = [];
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    const end = (text) => {
      clearTimeout(timer);
      resolve(text);
    };
    child.on("error", () => end(null));
    child.on("close", (code) => end(code === 0 ? Buffer.concat(chunks).toString() : null));
    child.stdout.on("data", (chunk) => chunks.push(chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });

/** The events at which guards stop something; at the others a failure stops nothing. */
const BLOCKING = ["tool.execute.before", "permission.ask", "chat.message"];

/** Beside the client: which guards were in force when all was well. Without the file, what was so at install; one that cannot be read may say that they are. */
function isGuarded({ event, cwd }) {
  if (!BLOCKING.includes(event)) return false;
  const { ADJ_DATA_DIR, XDG_DATA_HOME, ADJ_CONFIG_DIR, XDG_CONFIG_HOME } = process.env;
  const data = ADJ_DATA_DIR || join(XDG_DATA_HOME || join(homedir(), ".local", "share"), "adjutant");
  const config = ADJ_CONFIG_DIR || join(XDG_CONFIG_HOME || join(homedir(), ".config"), "adjutant");
  let text;
  try {
    text = readFileSync(join(isAbsolute(PROGRAM) ? dirname(PROGRAM) : join(data, "client"), "guards"), "utf8");
  } catch (error) {
    return (WAS_GUARDED || error.code !== "ENOENT") && event === "tool.execute.before";
  }
  return text.split("\\n").some((line) => {
    const [word, agent, at, of, root = ""] = line.split("\\t");
    if (word !== "guard" || agent !== "opencode" || at !== event) return false;
    if (isAbsolute(config) && of !== config) return false;
    return root === "*" || cwd === root || cwd.startsWith(root.endsWith(sep) ? root : root + sep);
  });
}

/** Where a person may be asked. */
const ASKING = ["tool.execute.before", "permission.ask"];

function limitAt({ event }) {
  if (event === "session.idle") return TURN_END_LIMIT_MS;
  return ASKING.includes(event) ? ASK_LIMIT_MS : LIMIT_MS;
}

/** The client is told the event, the program reads it in the payload; both are told of a time that is longer than usual. */
function wordsAt(payload) {
  const limit = limitAt(payload);
  const seconds = limit > LIMIT_MS ? [String(limit / 1_000)] : [];
  return WORDS.includes("hook") ? seconds.map((text) => "${ENTRY_LIMIT_WORD}" + text) : [payload.event, ...seconds];
}

/** No answer is a refusal where guards are in force; elsewhere everything goes its way. */
async function ask(payload, env = process.env) {
  const text = await run(PROGRAM, [...WORDS, ...wordsAt(payload)], {
    input: JSON.stringify(payload),
    env,
    limit: limitAt(payload),
  });
  try {
    const answer = JSON.parse(text ?? "");
    if (typeof answer === "object" && answer !== null && !Array.isArray(answer)) return answer;
  } catch {
    // Said below.
  }
  if (!isGuarded(payload)) return {};
  const block = "the hooks of Adjutant gave no answer, and guards are in force here, so it did not run; look with \`adj doctor\`";
  return { block, permission: "deny" };
}

/** What the session's environment file sets, found by letting a shell read it. */
async function readVariables(file) {
  const text = await run("/bin/sh", ["-c", '. "$1" && env -0', "sh", file], {
    input: "",
    env: { PATH: process.env.PATH },
  });
  const pairs = (text ?? "").split("\\0").filter(Boolean).map((line) => {
    const at = line.indexOf("=");
    return [line.slice(0, at), line.slice(at + 1)];
  });
  return Object.fromEntries(
    pairs.filter(([name, value]) =>
      name === "PATH" ? value !== process.env.PATH : name.startsWith("ADJ_"),
    ),
  );
}

const isTyped = (part) => part.type === "text" && !part.synthetic;
const textOf = (parts) => parts.filter(isTyped).map((part) => part.text).join("\\n");

function replaceText(parts, text) {
  for (const [at, part] of parts.filter(isTyped).entries()) part.text = at === 0 ? text : "";
}

const blockIf = ({ block }) => {
  if (typeof block === "string") throw new Error(block);
};

const listOf = ({ context }) => (Array.isArray(context) ? context : []);

`;

const PLUGIN = `export const Adjutant = async ({ client, directory }) => {
  const sessions = new Map();
  const children = new Set();
  const started = new Set();

  const tell = (event, sessionID, fields = {}, env) =>
    ask({ event, session_id: sessionID, cwd: directory, ...fields }, env);

  const begin = async (sessionID) => {
    const folder = mkdtempSync(join(tmpdir(), "adj-opencode-"));
    const file = join(folder, "env");
    try {
      writeFileSync(file, "", { mode: 0o600 });
      const source = started.has(sessionID) ? "new" : "resume";
      const env = { ...process.env, CLAUDE_ENV_FILE: file };
      const answer = await tell("session.start", sessionID, { source }, env);
      const variables = await readVariables(file);
      return { variables, lasting: listOf(answer), passing: [], added: new Map(), continues: 0 };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  const sessionOf = (sessionID) => {
    if (!sessions.has(sessionID)) sessions.set(sessionID, begin(sessionID));
    return sessions.get(sessionID);
  };

  /** A prompt that is refused shows only "unexpected error", so the reason goes to the screen by itself. */
  const show = async (message) => {
    if (!process.stdout.isTTY) return console.error(message);
    await client.tui?.showToast?.({ body: { message, variant: "warning" } });
  };

  const atIdle = async (sessionID) => {
    if (children.has(sessionID) || !sessions.has(sessionID)) return;
    const session = await sessionOf(sessionID);
    const answer = await tell("session.idle", sessionID, { continues_so_far: session.continues });
    if (typeof answer.continue !== "string") return;
    session.isContinuing = true;
    session.continues += 1;
    await client.session.prompt({
      path: { id: sessionID },
      body: { parts: [{ type: "text", text: answer.continue }] },
    });
  };

  return {
    event: async ({ event: { type, properties } }) => {
      if (type === "session.created") {
        started.add(properties.info.id);
        if (properties.info.parentID) children.add(properties.info.id);
      }
      if (type === "session.idle") await atIdle(properties.sessionID);
      if (type === "session.compacted") await tell("session.compacted", properties.sessionID);
      if (type === "session.deleted") await tell("session.deleted", properties.info.id);
    },
    "chat.message": async ({ sessionID }, output) => {
      const session = await sessionOf(sessionID);
      if (session.isContinuing) {
        session.isContinuing = false;
        return;
      }
      session.continues = 0;
      session.passing = [];
      if (children.has(sessionID)) return;
      const answer = await tell("chat.message", sessionID, { prompt: textOf(output.parts) });
      if (typeof answer.block === "string") await show(answer.block);
      blockIf(answer);
      if (typeof answer.prompt === "string") replaceText(output.parts, answer.prompt);
      session.passing = listOf(answer);
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID || !sessions.has(sessionID)) return;
      const { lasting, passing } = await sessionOf(sessionID);
      output.system.push(...lasting, ...passing);
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      const session = await sessionOf(sessionID);
      const call = { tool, call_id: callID, args: output.args };
      const answer = await tell("tool.execute.before", sessionID, call);
      blockIf(answer);
      if (answer.args) {
        for (const key of Object.keys(output.args)) delete output.args[key];
        Object.assign(output.args, answer.args);
      }
      session.added.set(callID, listOf(answer));
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const session = await sessionOf(sessionID);
      const added = session.added.get(callID) ?? [];
      session.added.delete(callID);
      const call = { tool, call_id: callID, args, output: output.output, title: output.title };
      const answer = await tell("tool.execute.after", sessionID, call);
      if (typeof answer.output === "string") output.output = answer.output;
      const more = [...added, ...listOf(answer)];
      if (more.length > 0) output.output = [output.output, ...more].join("\\n\\n");
    },
    "permission.ask": async (permission, output) => {
      const answer = await tell("permission.ask", permission.sessionID, {
        tool: permission.type,
        args: permission.metadata,
      });
      if (answer.permission) output.status = answer.permission;
    },
    "shell.env": async ({ sessionID }, output) => {
      if (!sessionID || !sessions.has(sessionID)) return;
      Object.assign(output.env, (await sessionOf(sessionID)).variables);
    },
    "experimental.session.compacting": async ({ sessionID }, output) => {
      const answer = await tell("session.compacting", sessionID);
      output.context.push(...listOf(answer));
    },
  };
};
`;
