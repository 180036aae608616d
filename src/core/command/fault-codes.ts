// The closed table of fault codes: for each its class, what every surface answers with, and its one message.
import { suggestNames } from "./names.ts";
import { showLimit } from "./time.ts";

export type FaultClass =
  | "Usage"
  | "Config"
  | "Trust"
  | "Consent"
  | "Cancelled"
  | "Timeout"
  | "Process"
  | "Agent"
  | "Hook"
  | "Storage"
  | "Internal";

interface FaultCode<Facts> {
  readonly class: FaultClass;
  readonly exitCode: number;
  readonly httpStatus: number;
  readonly mcpCode: number;
  readonly message: (facts: Facts) => string;
}

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const REFUSED = -32001;

const usage = <Facts>(message: (facts: Facts) => string, exitCode = 2): FaultCode<Facts> => ({
  class: "Usage",
  exitCode,
  httpStatus: exitCode === 127 ? 404 : 400,
  mcpCode: INVALID_PARAMS,
  message,
});
const config = <Facts>(message: (facts: Facts) => string): FaultCode<Facts> => ({
  class: "Config",
  exitCode: 2,
  httpStatus: 422,
  mcpCode: INVALID_PARAMS,
  message,
});
const refused = <Facts>(
  faultClass: "Trust" | "Consent" | "Hook",
  message: (facts: Facts) => string,
): FaultCode<Facts> => ({
  class: faultClass,
  exitCode: 126,
  httpStatus: 403,
  mcpCode: REFUSED,
  message,
});
const failure = <Facts>(
  faultClass: "Process" | "Agent" | "Storage" | "Internal" | "Hook",
  message: (facts: Facts) => string,
  exitCode = 1,
): FaultCode<Facts> => ({
  class: faultClass,
  exitCode,
  httpStatus: 500,
  mcpCode: INTERNAL,
  message,
});

export const FAULT_CODES = {
  CommandUnknown: usage<{ name: string; suggestions: readonly string[] }>(
    ({ name, suggestions }) =>
      `unknown command \`${name.replaceAll("\n", "\\n")}\`${suggestNames(suggestions)}`,
    127,
  ),
  ArgumentsInvalid: usage<{ command: string; problem: string }>(
    ({ command, problem }) => `\`${command}\`: ${problem}`,
  ),
  FlagUnknown: usage<{ flag: string; of: string; suggestions: readonly string[] }>(
    ({ flag, of, suggestions }) =>
      `unknown flag \`${flag}\` of \`${of}\`${suggestNames(suggestions)}`,
  ),
  QuoteUnclosed: usage<{ line: string; column: number; quote: string }>(
    ({ column, quote }) => `unclosed ${quote} opened at column ${column}`,
  ),
  TooDeep: usage<{ name: string; limit: number }>(
    ({ name, limit }) => `\`${name}\` was dispatched more than ${limit} commands deep`,
  ),
  StageActive: usage<{ command: string; workflow: string; stage: string }>(
    ({ command, workflow, stage }) =>
      `\`${command}\` is refused while stage \`${stage}\` of workflow \`${workflow}\` acts`,
  ),
  TurnActive: usage<{ command: string; turn: number }>(
    ({ command, turn }) =>
      `\`${command}\` runs only between turns, and it was called from inside turn ${turn}`,
  ),
  SlotAccessDenied: usage<{ command: string; slot: string }>(
    ({ command, slot }) => `\`${command}\` may not reach the state slot of \`${slot}\``,
  ),
  EnvUndeclared: usage<{ command: string; name: string }>(
    ({ command, name }) =>
      `\`${command}\` read the environment variable \`${name}\` without declaring it`,
  ),
  LeaseRequired: usage<{ command: string }>(
    ({ command }) => `\`${command}\` changed the session but its effect is \`read\``,
  ),
  InputInvalid: usage<{ what: string; problem: string }>(
    ({ what, problem }) => `${what}: ${problem}`,
  ),
  WordUnavailable: usage<{ word: string }>(
    ({ word }) => `\`${word}\` is a word of the program that this version does not have yet`,
  ),

  FileInvalid: config<{ problem: string }>(({ problem }) => problem),
  NameInvalid: config<{ name: string }>(
    ({ name }) =>
      `\`${name}\` is not a command name: small letters, digits and dashes, beginning with a letter, at most 64`,
  ),
  NameReserved: config<{ name: string }>(
    ({ name }) => `\`${name}\` belongs to the program and cannot be defined`,
  ),
  NameClash: config<{ name: string; files: readonly string[] }>(
    ({ name, files }) => `\`${name}\` is defined more than once: ${files.join(", ")}`,
  ),
  CommandBroken: config<{ name: string; problem: string }>(
    ({ name, problem }) => `\`${name}\` could not be loaded: ${problem}`,
  ),
  FolderUnreadable: config<{ path: string; problem: string }>(
    ({ path, problem }) => `\`${path}\` cannot be read: ${problem}`,
  ),

  Untrusted: refused<{ root: string; name?: string }>("Trust", ({ root, name }) =>
    name === undefined
      ? `the project \`${root}\` is not trusted`
      : `\`${name}\` is a command of the project \`${root}\`, which is not trusted`,
  ),
  HostUnreachable: failure<{ problem: string }>(
    "Process",
    ({ problem }) => `the host of the sessions cannot be reached: ${problem}`,
  ),
  HostTaken: usage<{ pid: number }>(
    ({ pid }) => `a host of this state folder runs already, as process ${pid}`,
  ),
  TurnCancelled: {
    class: "Cancelled",
    exitCode: 130,
    httpStatus: 499,
    mcpCode: -32800,
    message: ({ number }: { number: number }) => `turn ${number} was cancelled`,
  },
  QuestionOver: usage<{ question: string; problem: string }>(
    ({ question, problem }) => `question \`${question}\` cannot be answered: ${problem}`,
  ),
  RunTaken: usage<{ run: string; pid: number }>(
    ({ run, pid }) => `run \`${run}\` is under way already, in process ${pid}`,
  ),
  SessionBusy: usage<{ problem: string }>(({ problem }) => problem),
  AgentNotStarted: refused<{ agent: string; problem: string }>(
    "Trust",
    ({ agent, problem }) => `\`${agent}\` is not started: ${problem}`,
  ),
  TrustRefused: refused<{ root: string; problem: string }>(
    "Trust",
    ({ root, problem }) => `\`${root}\` cannot be trusted: ${problem}`,
  ),
  ProgramChanged: refused<{ path: string }>(
    "Trust",
    ({ path }) => `\`${path}\` changed since the project was trusted`,
  ),
  LinkInTheWay: refused<{ path: string; link: string }>("Trust", ({ path, link }) =>
    path === link
      ? `\`${path}\` is not written: it is a link`
      : `\`${path}\` is not written: \`${link}\` on the way to it is a link`,
  ),
  ImportOutside: refused<{ file: string; specifier: string }>(
    "Trust",
    ({ file, specifier }) =>
      `\`${file}\` imports \`${specifier}\`, which was not trusted with the project`,
  ),
  ImportRefused: refused<{ written: string; problem: string }>(
    "Trust",
    ({ written, problem }) => `\`${written}\` is not imported: ${problem}`,
  ),

  Required: refused<{ name: string }>(
    "Consent",
    ({ name }) => `\`${name}\` needs a person's consent and there is nobody to ask`,
  ),
  Declined: refused<{ name: string }>("Consent", ({ name }) => `\`${name}\` was declined`),
  Vetoed: refused<{ reason: string }>("Hook", ({ reason }) => reason),

  Cancelled: {
    class: "Cancelled",
    exitCode: 130,
    httpStatus: 499,
    mcpCode: -32800,
    message: ({ name }: { name: string; signal?: "SIGINT" | "SIGTERM" }) =>
      `\`${name}\` was cancelled`,
  },
  CommandTimeout: {
    class: "Timeout",
    exitCode: 124,
    httpStatus: 504,
    mcpCode: INTERNAL,
    message: ({ name, limitMs }: { name: string; limitMs: number }) =>
      `\`${name}\` did not finish within ${showLimit(limitMs)}`,
  },

  SpawnFailed: failure<{ program: string; problem: string }>(
    "Process",
    ({ program, problem }) => `\`${program}\` could not be started: ${problem}`,
    127,
  ),
  InlineFailed: failure<{ command: string; problem: string }>(
    "Process",
    ({ command, problem }) => `\`${command}\` ${problem}`,
  ),
  CapabilityMissing: failure<{ agent: string; capabilities: readonly string[] }>(
    "Agent",
    ({ agent, capabilities }) =>
      `agent \`${agent}\` lacks what this session depends on: ${capabilities.join(", ")}`,
  ),
  AgentUnknown: failure<{ agent: string; suggestions: readonly string[] }>(
    "Agent",
    ({ agent, suggestions }) => `unknown agent \`${agent}\`${suggestNames(suggestions)}`,
    2,
  ),
  ModelUnknown: failure<{ agent: string; model: string; suggestions: readonly string[] }>(
    "Agent",
    ({ agent, model, suggestions }) =>
      `agent \`${agent}\` has no model \`${model}\`${suggestNames(suggestions)}`,
    2,
  ),
  AgentMissing: failure<{ agent: string; problem: string }>(
    "Agent",
    ({ agent, problem }) => `agent \`${agent}\` cannot be run: ${problem}`,
    127,
  ),
  NoneFound: failure<{ programs: string }>(
    "Agent",
    ({ programs }) => `no agent is installed: none of ${programs} is on PATH`,
    127,
  ),
  /** Without an agent none was found to begin with, and the problem says so. */
  AgentRunFailed: failure<{ agent: string | null; problem: string }>(
    "Agent",
    ({ agent, problem }) => (agent === null ? problem : `agent \`${agent}\` failed: ${problem}`),
  ),
  StepFailed: failure<{ command: string; step: string; problem: string }>(
    "Process",
    ({ command, step, problem }) => `\`${step}\` of \`${command}\`: ${problem}`,
  ),
  LeaseLost: failure<{ session: string }>(
    "Storage",
    ({ session }) => `the lease on session \`${session}\` was lost to another process`,
  ),
  StoreUnavailable: failure<{ path: string; problem: string }>(
    "Storage",
    ({ path, problem }) => `\`${path}\` cannot be used: ${problem}`,
  ),
  StoreTooNew: failure<{ path: string; found: number; known: number }>(
    "Storage",
    ({ path, found, known }) =>
      `\`${path}\` was written by a newer Adjutant (schema ${found}, this one knows ${known})`,
  ),
  HandlerThrew: failure<{ name: string; problem: string }>(
    "Internal",
    ({ name, problem }) => `\`${name}\` threw: ${problem}`,
  ),
  HandlerStuck: failure<{ name: string }>(
    "Internal",
    ({ name }) => `\`${name}\` waits for something that can no longer happen`,
  ),
  ResultInvalid: failure<{ name: string; problem: string }>(
    "Internal",
    ({ name, problem }) => `\`${name}\` returned an invalid result: ${problem}`,
  ),
  ProcessLost: failure<{ name: string }>(
    "Internal",
    ({ name }) => `the process running \`${name}\` ended before it finished`,
  ),
} as const;

export type FaultCodeName = keyof typeof FAULT_CODES;
export type FaultFacts<Code extends FaultCodeName> = Parameters<
  (typeof FAULT_CODES)[Code]["message"]
>[0];
