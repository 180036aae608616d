import * as z from "zod/mini";
import { flag, text, texts } from "../argument-shapes.ts";

const whole = (description: string, most: number) =>
  z.optional(z.int().check(z.minimum(1), z.maximum(most), z.meta({ plain: true, description })));

export const ACTIONS = [
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
  words: texts("the suite, a trial, or runs by the beginning of their ids", {
    positional: "rest",
    plain: true,
    file: true,
  }),
  only: texts("cases by id or tag, or agents; all by default", { plain: true }),
  repeat: whole("so many repetitions of each trial instead of the suite's", 10_000),
  concurrency: whole("so many trials at once instead of the suite's", 1_000),
  fresh: flag("run again what is known already"),
  keep: z._default(
    z
      .enum(["never", "failed", "always"])
      .check(z.meta({ plain: true, description: "which workspaces stay after their trial" })),
    "never",
  ),
  oracle: flag(
    "with `validate`: run each case with its solution, and with an agent that does nothing",
  ),
  failIf: texts("exit with 1 where this holds: `pass_rate < 0.8`, `opus.cost > 2`", {
    plain: true,
  }),
  baseline: text("a run, by the beginning of its id; exit with 1 where an agent got worse", {
    plain: true,
  }),
  store: text(
    "`postgres://…` for workers on many machines; a file in the state folder by default",
    {
      secret: true,
    },
  ),
  labels: texts("with `worker`: what this machine has, `gpu`", { plain: true }),
  older: text("with `remove`: all runs that began before that, `30d`", { plain: true }),
  md: text("write the report as Markdown into this file, `-` for the output", { file: true }),
  html: text("write the report as one page into this file", { file: true }),
  junit: text("write the results as JUnit XML into this file", { file: true }),
  github: flag("print what failed as annotations of GitHub"),
});

export type BenchArguments = z.infer<typeof BENCH_ARGUMENTS>;
