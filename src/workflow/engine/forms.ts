// What the two forms of a workflow are given to run with, and how they end. The coordinator knows no more of them.
import type { JsonValue } from "../../core/command/context.ts";
import { isJsonObject } from "../../core/project/json-value.ts";
import { completeInputs } from "../definition/inputs.ts";
import type { ScriptWorkflow, StageWorkflow, Workflow } from "../definition/workflow.ts";
import type { PerformEffect, RunNarration } from "./effect.ts";

/** `{ scriptPath }` of the dialect, or a name. */
type WorkflowReference = string | { readonly scriptPath: string };

export type FormEnding =
  /** Undefined where it returned nothing. */
  | { readonly kind: "returned"; readonly value: JsonValue | undefined }
  /** In the workflow's own words, with the place where it is known. */
  | { readonly kind: "threw"; readonly message: string }
  /** An effect answered `ended`: nothing of the workflow ran after it. */
  | { readonly kind: "ended"; readonly reason: string };

/** Another workflow inside this one, from where its call stands in the same journal. */
export type ChildRunner = (
  reference: WorkflowReference,
  args: JsonValue | undefined,
  path: string,
) => Promise<FormEnding>;

export interface FormRequest<Form extends Workflow> {
  readonly workflow: Form;
  readonly args: JsonValue | undefined;
  readonly perform: PerformEffect;
  readonly narration: RunNarration;
  readonly runChild: ChildRunner;
  /** Output tokens, as `budget.total` of the dialect has them; null without a limit. */
  readonly tokenLimit: number | null;
  /** Aborted when the run is stopped or its process leaves: the form ends with `ended` soon. */
  readonly signal: AbortSignal;
}

export interface WorkflowForms {
  runScript(request: FormRequest<ScriptWorkflow>): Promise<FormEnding>;
  runStages(request: FormRequest<StageWorkflow>): Promise<FormEnding>;
  /** A fault where there is none, or it cannot be read. */
  readWorkflow(reference: WorkflowReference): Promise<Workflow>;
}

/** Runs whichever form it has; the workflows inside share journal, counters and limits, and start none themselves. */
export function runForm(
  forms: WorkflowForms,
  { workflow, ...request }: FormRequest<Workflow>,
): Promise<FormEnding> {
  return workflow.form === "script"
    ? forms.runScript({ workflow, ...request })
    : forms.runStages({ workflow, ...request });
}

export function createChildRunner(
  forms: WorkflowForms,
  request: Omit<FormRequest<Workflow>, "workflow" | "args" | "runChild">,
  explain: (error: unknown) => string,
): ChildRunner {
  const counts = new Map<string, number>();
  return async (reference, args, path) => {
    const name = typeof reference === "string" ? reference : reference.scriptPath;
    const place = `${path === "" ? "" : `${path}/`}workflow:${name}`;
    const ordinal = counts.get(place) ?? 0;
    counts.set(place, ordinal + 1);
    let workflow: Workflow;
    let given = args;
    try {
      workflow = await forms.readWorkflow(reference);
      if (workflow.form === "stages")
        given = completeInputs(workflow, isJsonObject(args) ? args : {});
    } catch (error) {
      return { kind: "threw", message: explain(error) };
    }
    const prefix = `${place}#${ordinal}/`;
    return runForm(forms, {
      ...request,
      ...{ workflow, args: given, runChild: refuseGrandchild },
      perform: (effect) => request.perform({ ...effect, path: `${prefix}${effect.path}` }),
    });
  };
}

const refuseGrandchild: ChildRunner = async (reference) => ({
  kind: "threw",
  message: `a workflow inside another starts none itself: \`${typeof reference === "string" ? reference : reference.scriptPath}\` is not started`,
});
