// The arguments of `adj agent`, for all of its actions.
import * as z from "zod/mini";
import {
  choiceArgument,
  countArgument,
  flagArgument,
  textArgument,
  textsArgument,
} from "../../core/commands/bundled.ts";

const RUN = ["run"] as const;
const LOG = ["log"] as const;
const NORMALIZE = ["normalize"] as const;

const ACTIONS = {
  list: "List the agents: which are here, in which version, how to get the others",
  run: "Run an agent on a prompt, without a session, and print its answer",
  log: "Show what a run did: the last one, or the one that is named",
  normalize: "Bring the saved output of an agent's CLI into one log",
};

export const AGENT_ARGUMENTS = z.strictObject({
  action: z
    .enum(["list", "run", "log", "normalize"])
    .check(z.meta({ positional: 0, plain: true, description: "what to do", actions: ACTIONS })),
  subject: textArgument("the agent; with `log` the run, by the beginning of its id", {
    positional: 1,
    plain: true,
    means: {
      run: "the agent, by its name or an alias; the session's by default",
      log: "the run, by the beginning of its id; the last one by default",
      normalize: "the agent whose output it is",
    },
  }),
  words: textsArgument(
    "with `run`: what to ask; with `normalize`: the file of the saved output, `-` for what is piped in",
    {
      positional: "rest",
      file: true,
      means: {
        run: "what to ask",
        normalize: "the file of the saved output, `-` for what is piped in",
      },
    },
  ),
  prompt: textArgument(
    "what to ask, in place of words; else `--prompt-file`, else what is piped in",
    {
      when: RUN,
    },
  ),
  promptFile: textArgument("a file with the prompt", { file: true, when: RUN }),
  workspace: textArgument("the folder to work in; here by default", { file: true, when: RUN }),
  model: textArgument("the model, for this run", { plain: true, when: RUN }),
  permission: textArgument("`plan`, `ask`, `allowlist`, `auto`, or the agent's own word", {
    plain: true,
    when: RUN,
  }),
  timeout: textArgument("end the run after this long; `5m` by default, `none` for no limit", {
    plain: true,
    when: RUN,
  }),
  param: textsArgument("a param for this run, over the session's: `max_turns=3`", { when: RUN }),
  set: textsArgument('any field of the agent\'s configuration: `output_format="text"`', {
    when: RUN,
  }),
  retries: z._default(
    z
      .int()
      .check(
        z.minimum(0),
        z.maximum(10),
        z.meta({ plain: true, description: "try again after a rate limit or overload", when: RUN }),
      ),
    0,
  ),
  cassette: textArgument("what the replay agent plays", { file: true, when: RUN }),
  record: textArgument("also write the run as a cassette", { file: true, when: RUN }),
  logFormat: choiceArgument(["youbencha"], "also write the log in this form", { when: RUN }),
  otel: textArgument("also write the run as OpenTelemetry spans into this file", {
    file: true,
    when: RUN,
  }),
  events: flagArgument("one JSON object per line as it happens", { when: RUN }),
  raw: flagArgument("keep the raw output as it came, secrets too", { when: RUN }),
  allowHooksOff: flagArgument("start it though the project switches hooks off", { when: RUN }),
  projectSettings: flagArgument("let an untrusted project's own hooks and servers count", {
    when: RUN,
  }),
  md: flagArgument("as Markdown", { when: LOG }),
  html: flagArgument("as a page of its own", { when: LOG }),
  json: flagArgument("the log itself", { when: ["log", "normalize"] }),
  stderr: textArgument("the saved error output", { file: true, when: NORMALIZE }),
  exitCode: countArgument("how the program ended", { from: 0, to: 255, when: NORMALIZE }),
  signal: textArgument("the signal it was ended by", { plain: true, when: NORMALIZE }),
});

export type AgentArguments = z.infer<typeof AGENT_ARGUMENTS>;
