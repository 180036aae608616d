import { resolve } from "node:path";
import { percent } from "../../bench/report/figures-text.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { formatTable } from "../../command/text-columns.ts";
import { screenWidth } from "../screen-width.ts";
import type { BenchArguments } from "./bench-arguments.ts";
import type { BenchPlace } from "./bench-place.ts";
import { loadReport } from "./load-report.ts";
import { withStore } from "./open-store.ts";
import { isInterrupted } from "./run-ownership.ts";

const COLUMNS = [
  { title: "RUN" },
  { title: "STARTED" },
  { title: "SUITE", least: 10 },
  { title: "STATE" },
  { title: "DONE" },
  { title: "PASSED", least: 20 },
] as const;

/** The runs there were, of one suite or of all. */
export const showHistory = (args: BenchArguments, place: BenchPlace): Promise<CommandResult> =>
  withStore(args, place, async (store) => {
    const [word] = args.words;
    const file = resolve(place.context.workingDirectory, word ?? "");
    const runs = (await store.listRuns(null)).filter(
      ({ suite, suiteFile }) => word === undefined || suite === word || suiteFile === file,
    );
    if (runs.length === 0) return ok("no runs yet; `adj bench SUITE` makes one", { runs: [] });
    const rows: string[][] = [];
    for (const run of runs) {
      const { summary } = await loadReport(store, run, []);
      const passed = summary.agents.map(
        ({ agentId, passRate }) => `${agentId} ${percent(passRate)}`,
      );
      rows.push([
        run.id.slice(0, 8),
        run.startedAt.slice(0, 16).replace("T", " "),
        run.suite,
        isInterrupted(place.program.stateDir, run) ? "interrupted" : run.state,
        `${summary.trials}/${run.trials}`,
        passed.join(", "),
      ]);
    }
    const facts = runs.map(({ definition: _, ...run }) => run);
    return ok(formatTable(COLUMNS, rows, screenWidth(place.context)).join("\n"), { runs: facts });
  });
