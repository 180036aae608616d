import * as z from "zod/mini";
import { type Layer, listNames, resolveCommand } from "../../command/registry.ts";
import { type CommandResult, ok } from "../../command/result.ts";
import { plainLine } from "../../terminal/text-columns.ts";
import { countArgument, defineBundled, type Program, textsArgument } from "../bundled.ts";
import { hiddenCommands } from "../command-rows.ts";
import type { CommandLookup, Completion } from "./words.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;

export default defineBundled({
  name: "completion",
  description: "Print the completion script of a shell",
  category: "program",
  safety: "read_only",
  examples: ["source <(adj completion bash)", "adj completion fish | source"],
  args: z.strictObject({
    shell: z.enum(SHELLS).check(z.meta({ positional: 0, plain: true, description: "which shell" })),
    index: countArgument("for the script: which word the cursor stands in", { from: 0 }),
    words: textsArgument("for the script: the words typed so far", { positional: "rest" }),
  }),
  run: async ({ shell, index, words }, { session }, program) => {
    const hidden = () => hiddenCommands(program, session.id);
    if (index !== undefined) return answer({ shell, index, words, hidden }, program);
    const { SCRIPTS } = await import("./scripts.ts");
    return ok(SCRIPTS[shell], { shell });
  },
});

interface Question {
  readonly shell: (typeof SHELLS)[number];
  readonly index: number;
  readonly words: readonly string[];
  readonly hidden: () => ReadonlySet<string>;
}

async function answer(question: Question, program: Program): Promise<CommandResult> {
  const { completeWords } = await import("./words.ts");
  const { rejoinWords } = await import("./words.ts");
  const { words, index, cut } =
    question.shell === "bash"
      ? rejoinWords(question.words, question.index)
      : { ...question, cut: "" };
  const completion = completeWords(words, index, viewOf(await program.layers(), question.hidden));
  return ok(formatAnswer(completion, cut), { ...completion });
}

function viewOf(layers: readonly Layer[], hidden: Question["hidden"]): CommandLookup {
  const summaryOf = (name: string) => {
    const found = resolveCommand(layers, name);
    return found.kind === "found" ? found.entry.summary : null;
  };
  const names = () => {
    const left = hidden();
    return listNames(layers).flatMap((value) => {
      const summary = left.has(value) ? null : summaryOf(value);
      return summary === null ? [] : [{ value, description: summary.description }];
    });
  };
  return { names, summaryOf };
}

function formatAnswer({ candidates, files }: Completion, cut: string): string {
  const lines = candidates.map(
    ({ value, description }) => `${value.slice(cut.length)}\t${plainLine(description)}`,
  );
  return [files ? "files" : "words", ...lines].join("\n");
}
