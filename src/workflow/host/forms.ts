// The two forms of a workflow as the engine runs them.
import type { JsonValue } from "../../core/command/context.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import type { Stage, Workflow } from "../definition/workflow.ts";
import type { FormEnding, FormRequest, WorkflowForms } from "../engine/forms.ts";
import type { ChildEnding, StageEvent, StageRunResult } from "../engine/stages/stage-run.ts";
import type { ScriptEnding } from "../script/ending.ts";

export interface FormParts {
  readWorkflow(word: string): Promise<Workflow>;
  readonly onStage: (event: StageEvent) => void;
  /** Waits for what a person says to begin with; null where nobody is waited for. */
  readonly beforeFirstAct:
    | ((stage: Stage, perform: FormRequest<Workflow>["perform"]) => Promise<string>)
    | null;
}

export function createForms(parts: FormParts): WorkflowForms {
  return {
    readWorkflow: (reference) =>
      parts.readWorkflow(typeof reference === "string" ? reference : reference.scriptPath),
    runScript: async ({ workflow, args, perform, narration, runChild, tokenLimit, signal }) => {
      const { runScript } = await import("../script/run-script.ts");
      const { body, file } = workflow;
      const ending = await runScript({
        ...{ body, file, args, perform, narration, signal, budgetTotal: tokenLimit },
        runChild: async (reference, given, path) =>
          childOfScript(await runChild(reference, given, path)),
      });
      if (ending.kind === "returned")
        for (const problem of ending.problems) narration.log(`warning: ${problem}`);
      return endingOfScript(ending);
    },
    runStages: async ({ workflow, args, perform, narration, runChild, signal }) => {
      const { runStages } = await import("../engine/stages/run-stages.ts");
      const { beforeFirstAct } = parts;
      const result = await runStages(workflow, {
        ...{ inputs: isJsonObject(args) ? args : {}, perform, narration, signal },
        onEvent: parts.onStage,
        runChild: async ({ name, inputs, path }) =>
          childOfStages(await runChild(name, { ...inputs }, path)),
        ...(beforeFirstAct === null
          ? {}
          : { beforeFirstAct: (stage: Stage) => beforeFirstAct(stage, perform) }),
      });
      return endingOfStages(result);
    },
  };
}

function endingOfScript(ending: ScriptEnding): FormEnding {
  switch (ending.kind) {
    case "returned":
      return { kind: "returned", value: ending.value };
    case "threw": {
      const [place] = ending.stack;
      const name = ending.name === "Error" ? "" : `${ending.name}: `;
      return {
        kind: "threw",
        message: `${place === undefined ? "" : `${place}: `}${name}${ending.message}`,
      };
    }
    case "ended":
      return { kind: "ended", reason: ending.reason };
    case "hung":
      return { kind: "threw", message: ending.message };
  }
}

function childOfScript(ending: FormEnding): ScriptEnding {
  if (ending.kind === "returned") return { ...ending, problems: [] };
  if (ending.kind === "ended") return ending;
  return { kind: "threw", name: "Error", message: ending.message, stack: [] };
}

function endingOfStages(result: StageRunResult): FormEnding {
  switch (result.kind) {
    case "done": {
      const value: JsonValue = {
        stage: result.stage,
        output: result.output,
        outputs: result.outputs,
      };
      return { kind: "returned", value };
    }
    case "failed":
      return { kind: "threw", message: result.reason };
    case "ended":
      return { kind: "ended", reason: result.reason };
  }
}

function childOfStages(ending: FormEnding): ChildEnding {
  if (ending.kind === "returned") return { kind: "value", value: ending.value ?? null };
  if (ending.kind === "threw") return { kind: "failed", reason: ending.message };
  return { kind: "ended", reason: ending.reason };
}
