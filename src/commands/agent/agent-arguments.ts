import * as z from "zod/mini";
import { flag, text, texts } from "../argument-shapes.ts";

const RUN = ["run"] as const;
const LOG = ["log"] as const;
const NORMALIZE = ["normalize"] as const;

export const AGENT_ARGUMENTS = z.strictObject({
  action: z
    .enum(["list", "run", "log", "normalize"])
    .check(z.meta({ positional: 0, plain: true, description: "what to do" })),
  subject: text("the agent; with `log` the run, by the beginning of its id", {
    positional: 1,
    plain: true,
  }),
  file: text("with `normalize`: the saved output, `-` for what is piped in", {
    positional: 2,
    file: true,
    when: NORMALIZE,
  }),
  prompt: text("what to ask; else `--prompt-file`, else what is piped in", { when: RUN }),
  promptFile: text("a file with the prompt", { file: true, when: RUN }),
  workspace: text("the folder to work in; here by default", { file: true, when: RUN }),
  model: text("the model, for this run", { plain: true, when: RUN }),
  permission: text("`plan`, `ask`, `allowlist`, `auto`, or the agent's own word", {
    plain: true,
    when: RUN,
  }),
  timeout: text("end the run after this long; `5m` by default, `none` for no limit", {
    plain: true,
    when: RUN,
  }),
  set: texts("another setting of the agent: `max_turns=3`", { when: RUN }),
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
  cassette: text("what the replay agent plays", { file: true, when: RUN }),
  record: text("also write the run as a cassette", { file: true, when: RUN }),
  logFormat: z.optional(
    z
      .enum(["youbencha"])
      .check(z.meta({ plain: true, description: "also write the log in this form", when: RUN })),
  ),
  otel: text("also write the run as OpenTelemetry spans into this file", { file: true, when: RUN }),
  events: flag("one JSON object per line as it happens", { when: RUN }),
  md: flag("as Markdown", { when: LOG }),
  html: flag("as a page of its own", { when: LOG }),
  json: flag("the log itself", { when: ["log", "normalize"] }),
  stderr: text("the saved error output", { file: true, when: NORMALIZE }),
  exitCode: z.optional(
    z
      .int()
      .check(
        z.minimum(0),
        z.maximum(255),
        z.meta({ plain: true, description: "how the program ended", when: NORMALIZE }),
      ),
  ),
  signal: text("the signal it was ended by", { plain: true, when: NORMALIZE }),
});

export type AgentArguments = z.infer<typeof AGENT_ARGUMENTS>;
