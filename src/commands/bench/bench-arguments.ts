import * as z from "zod/mini";

const text = (description: string, marks: Record<string, unknown> = {}) =>
  z.optional(z.string().check(z.meta({ description, ...marks })));
const plainSwitch = (description: string) =>
  z._default(z.boolean().check(z.meta({ plain: true, description })), false);
const list = (description: string) =>
  z._default(z.array(z.string()).check(z.meta({ description, plain: true })), []);
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
  words: z._default(
    z.array(z.string()).check(
      z.meta({
        positional: "rest",
        plain: true,
        file: true,
        description: "the suite, a trial, or runs by the beginning of their ids",
      }),
    ),
    [],
  ),
  only: list("cases by id or tag, or agents; all by default"),
  repeat: whole("so many repetitions of each trial instead of the suite's", 10_000),
  concurrency: whole("so many trials at once instead of the suite's", 1_000),
  fresh: plainSwitch("run again what is known already"),
  keep: z._default(
    z
      .enum(["never", "failed", "always"])
      .check(z.meta({ plain: true, description: "which workspaces stay after their trial" })),
    "never",
  ),
  oracle: plainSwitch(
    "with `validate`: run each case with its solution, and with an agent that does nothing",
  ),
  failIf: list("exit with 1 where this holds: `pass_rate < 0.8`, `opus.cost > 2`"),
  baseline: text("a run, by the beginning of its id; exit with 1 where an agent got worse", {
    plain: true,
  }),
  store: text(
    "`postgres://…` for workers on many machines; a file in the state folder by default",
    {
      secret: true,
    },
  ),
  labels: list("with `worker`: what this machine has, `gpu`"),
  older: text("with `remove`: all runs that began before that, `30d`", { plain: true }),
  md: text("write the report as Markdown into this file, `-` for the output", { file: true }),
  html: text("write the report as one page into this file", { file: true }),
  junit: text("write the results as JUnit XML into this file", { file: true }),
  github: plainSwitch("print what failed as annotations of GitHub"),
});

export type BenchArguments = z.infer<typeof BENCH_ARGUMENTS>;
