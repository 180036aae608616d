// `adj help bench report`: of a command whose first word says what to do, what concerns one such word.
import {
  type Argument,
  choicesOf,
  concernsAction,
  listSchemaArguments,
  positionalsOf,
} from "../command/arguments.ts";
import type { ArgumentSchema, CommandSummary } from "../command/definition.ts";

/** The words a command's first argument says what to do by; none where it is no such argument. */
export function actionsOf({ schema }: CommandSummary): readonly string[] {
  const known = listSchemaArguments(schema ?? {});
  const [first] = positionalsOf(known);
  const choices = first === undefined ? null : choicesOf(first.schema);
  const marked = known.flatMap((argument) => argument.schema.when ?? []);
  return [...new Set([...(choices ?? []), ...Object.keys(describeActions(known)), ...marked])];
}

/** What each of them does, as far as the command says it. */
export const describeActions = (known: readonly Argument[]): Readonly<Record<string, string>> =>
  positionalsOf(known)[0]?.schema.actions ?? {};

/** The same command as if the action were part of its name; null where it has no such action. */
export function narrowToAction(summary: CommandSummary, action: string): CommandSummary | null {
  const { schema, name } = summary;
  if (schema === null || !actionsOf(summary).includes(action)) return null;
  const known = listSchemaArguments(schema);
  const [first] = positionalsOf(known);
  const kept = known.filter(
    (argument) => argument.key !== first?.key && concernsAction(argument.schema, action),
  );
  const keys = new Set(kept.map(({ key }) => key));
  return {
    ...summary,
    name: `${name} ${action}`,
    description: describeActions(known)[action] ?? summary.description,
    argumentHint: null,
    examples: summary.examples.filter((example) =>
      `${example} `.includes(`adj ${name} ${action} `),
    ),
    schema: {
      ...schema,
      properties: Object.fromEntries(
        kept.map(({ key, schema: own }) => [key, describeFor(own, action)]),
      ),
      ...(schema.required === undefined
        ? {}
        : { required: schema.required.filter((key) => keys.has(key)) }),
    },
  };
}

/** Where the action is part of the name, nothing need say with which one the argument goes. */
function describeFor(schema: ArgumentSchema, action: string): ArgumentSchema {
  const description = schema.means?.[action] ?? schema.description;
  if (description === undefined) return schema;
  return { ...schema, description: description.replace(`with \`${action}\`: `, "") };
}
