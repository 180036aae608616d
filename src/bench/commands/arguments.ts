// What `adj bench` takes on the command line.
import * as z from "zod/mini";
import {
  countArgument,
  flagArgument,
  textArgument,
  textsArgument,
} from "../../core/commands/bundled.ts";

// For which first words a flag is; a suite stands for any suite's file.
const SUITE = "suite.yaml";
const RUNS = [SUITE, "validate", "worker"] as const;
const PLANS = [SUITE, "plan"] as const;
const REPORTS = [SUITE, "report"] as const;
const STORES = [
  SUITE,
  ...["plan", "report", "show", "compare", "history", "cancel", "remove", "worker"],
] as const;

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

const ACTIONS: Readonly<Record<(typeof BENCH_ACTIONS)[number], string>> = {
  validate: "Check a suite and tell all that is wrong with it; nothing runs",
  plan: "Show which trials a run of the suite would make",
  report: "Show the result of a run, or write it as Markdown or HTML",
  show: "Show one trial: what was asked, answered, changed and graded",
  compare: "Compare two runs, case by case",
  history: "List the runs of suites",
  cancel: "End a run; what is finished stays",
  remove: "Remove a run and what was kept of it",
  worker: "Work through trials of a server, beside other machines",
  import: "Make a suite of one in another tool's format",
};

const WORDS: Readonly<Record<(typeof BENCH_ACTIONS)[number], string>> = {
  validate: "the suite",
  plan: "the suite",
  report: "the run, by the beginning of its id; the last one by default",
  show: "the trial, `CASE/AGENT/REPETITION`, and its run; the last one by default",
  compare: "two runs, by the beginning of their ids",
  history: "a suite, for its runs alone",
  cancel: "the run, by the beginning of its id",
  remove: "the runs, by the beginning of their ids",
  worker: "a run, to work for no other",
  import: "the test case or task folder, and where the suite goes",
};

export const BENCH_ARGUMENTS = z.strictObject({
  subject: z.string().check(
    z.meta({
      positional: 0,
      plain: true,
      file: true,
      actions: ACTIONS,
      description:
        "a suite to run, or what to do: validate, plan, report, show, compare, history, cancel, remove, worker, import",
    }),
  ),
  words: textsArgument("the suite, a trial, or runs by the beginning of their ids", {
    positional: "rest",
    plain: true,
    file: true,
    means: WORDS,
  }),
  only: textsArgument("cases by id or tag, or agents; all by default", {
    plain: true,
    when: [...PLANS, "validate"],
  }),
  repeat: countArgument("so many repetitions of each trial instead of the suite's", {
    to: 10_000,
    when: PLANS,
  }),
  concurrency: countArgument("so many trials at once instead of the suite's", {
    to: 1_000,
    when: RUNS,
  }),
  fresh: flagArgument("run again what is known already", { when: PLANS }),
  keep: z._default(
    z
      .enum(["never", "failed", "always"])
      .check(
        z.meta({ plain: true, description: "which workspaces stay after their trial", when: RUNS }),
      ),
    "never",
  ),
  allowHooksOff: flagArgument("start agents though a workspace's files switch hooks off", {
    when: RUNS,
  }),
  projectSettings: flagArgument(
    "let the hooks and servers of workspaces that are not trusted count",
    { when: RUNS },
  ),
  raw: flagArgument(
    "keep the agents' raw output as it came, secrets too, where a workspace stays",
    { when: RUNS },
  ),
  oracle: flagArgument(
    "with `validate`: run each case with its solution, and with an agent that does nothing",
    { when: ["validate"] },
  ),
  failIf: textsArgument("exit with 1 where this holds: `pass_rate < 0.8`, `opus.cost > 2`", {
    plain: true,
    when: REPORTS,
  }),
  baseline: textArgument(
    "a run, by the beginning of its id; exit with 1 where an agent got worse",
    {
      plain: true,
      when: REPORTS,
    },
  ),
  store: textArgument(
    "`postgres://…` for workers on many machines; a file in the state folder by default",
    {
      secret: true,
      when: STORES,
    },
  ),
  labels: textsArgument("with `worker`: what this machine has, `gpu`", {
    plain: true,
    when: ["worker"],
  }),
  older: textArgument("with `remove`: all runs that began before that, `30d`", {
    plain: true,
    when: ["remove"],
  }),
  md: textArgument("write the report as Markdown into this file, `-` for the output", {
    file: true,
    when: REPORTS,
  }),
  html: textArgument("write the report as one page into this file", { file: true, when: REPORTS }),
  junit: textArgument("write the results as JUnit XML into this file", {
    file: true,
    when: REPORTS,
  }),
  github: flagArgument("print what failed as annotations of GitHub", { when: REPORTS }),
});

export type BenchArguments = z.infer<typeof BENCH_ARGUMENTS>;
