// What `adj bench` takes on the command line.
import * as z from "zod/mini";
import { flagArgument, textArgument, textsArgument } from "../../core/commands/bundled.ts";

const whole = (description: string, most: number) =>
  z.optional(z.int().check(z.minimum(1), z.maximum(most), z.meta({ plain: true, description })));

export const BENCH_ACTIONS = [
  "validate",
  "plan",
  "report",
  "show",
  "compare",
  "history",
  "cancel",
  "remove",
  "worker",
  "import",
] as const;

export const BENCH_ARGUMENTS = z.strictObject({
  subject: z.string().check(
    z.meta({
      positional: 0,
      plain: true,
      file: true,
      description:
        "a suite to run, or what to do: validate, plan, report, show, compare, history, cancel, remove, worker, import",
    }),
  ),
  words: textsArgument("the suite, a trial, or runs by the beginning of their ids", {
    positional: "rest",
    plain: true,
    file: true,
  }),
  only: textsArgument("cases by id or tag, or agents; all by default", { plain: true }),
  repeat: whole("so many repetitions of each trial instead of the suite's", 10_000),
  concurrency: whole("so many trials at once instead of the suite's", 1_000),
  fresh: flagArgument("run again what is known already"),
  keep: z._default(
    z
      .enum(["never", "failed", "always"])
      .check(z.meta({ plain: true, description: "which workspaces stay after their trial" })),
    "never",
  ),
  allowHooksOff: flagArgument("start agents though a workspace's files switch hooks off"),
  projectSettings: flagArgument(
    "let the hooks and servers of workspaces that are not trusted count",
  ),
  raw: flagArgument("keep the agents' raw output as it came, secrets too, where a workspace stays"),
  oracle: flagArgument(
    "with `validate`: run each case with its solution, and with an agent that does nothing",
  ),
  failIf: textsArgument("exit with 1 where this holds: `pass_rate < 0.8`, `opus.cost > 2`", {
    plain: true,
  }),
  baseline: textArgument(
    "a run, by the beginning of its id; exit with 1 where an agent got worse",
    {
      plain: true,
    },
  ),
  store: textArgument(
    "`postgres://…` for workers on many machines; a file in the state folder by default",
    {
      secret: true,
    },
  ),
  labels: textsArgument("with `worker`: what this machine has, `gpu`", { plain: true }),
  older: textArgument("with `remove`: all runs that began before that, `30d`", { plain: true }),
  md: textArgument("write the report as Markdown into this file, `-` for the output", {
    file: true,
  }),
  html: textArgument("write the report as one page into this file", { file: true }),
  junit: textArgument("write the results as JUnit XML into this file", { file: true }),
  github: flagArgument("print what failed as annotations of GitHub"),
});

export type BenchArguments = z.infer<typeof BENCH_ARGUMENTS>;
