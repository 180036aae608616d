// A Markdown command as its file says it, checked as far as no agent is needed for it.
import type { CommandSummary } from "../command/command.ts";
import { type Fault, fault } from "../command/fault.ts";
import { nearestNames } from "../command/nearest-names.ts";
import { summaryOf } from "../load/summary.ts";
import type { Body } from "./body/body.ts";
import { listVariables } from "./body/body-contents.ts";
import { parseBody } from "./body/parse-body.ts";
import { AGENT_SUFFIXES } from "./file-name.ts";
import { type CutFile, cutFrontMatter } from "./front-matter.ts";
import { checkFields, type MarkdownFields } from "./front-matter-fields.ts";
import { type Input, listInputs, templateVariables } from "./inputs.ts";
import { describeMarkdownArguments, type MarkdownArguments } from "./markdown-arguments.ts";

export interface MarkdownPlace {
  readonly name: string;
  /** What the file's name says of the agent: `claude` of `review.claude.md`. */
  readonly suffix: string | null;
  /** As its owner knows it. */
  readonly file: string;
  /** Where it was read: of a project in the trusted copy. */
  readonly path: string;
  /** The layer's folder as its owner knows it, and where it is read. */
  readonly layerFolder: { readonly shown: string; readonly real: string };
}

export interface MarkdownFile extends MarkdownPlace {
  readonly fields: MarkdownFields;
  readonly frontMatter: CutFile["frontMatter"];
  readonly at: CutFile["at"];
  readonly body: Body;
  readonly inputs: readonly Input[];
  /** Names that the template has, which are therefore no flags. */
  readonly templateVars: ReadonlySet<string>;
  /** The agent of the file's name. */
  readonly namedAgent: string | null;
  readonly summary: CommandSummary;
  readonly args: MarkdownArguments["args"];
}

/** Throws `FileInvalid` with the place in the file. */
export function parseMarkdown(text: string, place: MarkdownPlace): MarkdownFile {
  const cut = cutFrontMatter(text, place.file);
  const fields = checkFields(cut);
  const body = parseBody(cut.body, { file: place.file, line: cut.bodyLine });
  const variables = listVariables(body);
  const { frontMatter, at } = cut;
  const inputs = listInputs({ fields, frontMatter, variables, at });
  const { args, schema } = describeMarkdownArguments(inputs, takesWords(cut, variables));
  return {
    ...place,
    fields,
    frontMatter,
    at,
    body,
    inputs,
    templateVars: templateVariables(inputs),
    namedAgent: readSuffix(place),
    summary: summarize(fields, place.name, schema),
    args,
  };
}

/** Words are taken where the template, a mapping or a program of the user's own has a use for them. */
const takesWords = ({ frontMatter }: CutFile, variables: readonly string[]): boolean =>
  variables.some((name) => /^args$|^arg\d+$/.test(name)) ||
  Object.keys(frontMatter).some((key) => /^\$\d+$/.test(key) && !/^\$0*1$/.test(key)) ||
  frontMatter.argv !== undefined;

function readSuffix({ suffix, file }: MarkdownPlace): string | null {
  if (suffix === null) return null;
  const agent = AGENT_SUFFIXES.get(suffix);
  if (agent !== undefined) return agent;
  throw unknownSuffix(suffix, file);
}

function unknownSuffix(suffix: string, file: string): Fault {
  const known = [...AGENT_SUFFIXES.keys()];
  const [nearest] = nearestNames(suffix, known);
  const guess = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
  return fault(
    "FileInvalid",
    { problem: `\`${suffix}\` in the file's name is no agent${guess}` },
    { where: { file }, hint: `known are ${known.map((one) => `\`${one}\``).join(", ")}` },
  );
}

function summarize(
  fields: MarkdownFields,
  name: string,
  schema: MarkdownArguments["schema"],
): CommandSummary {
  const said = {
    description: fields.description,
    version: fields.version,
    effect: fields.effect,
    safety: fields.safety,
    aliases: fields.aliases,
    category: fields.category,
    argumentHint: fields["argument-hint"],
    examples: fields.examples,
    timeout: fields.timeout,
    critical: fields.critical,
    // What the agent is given of it is picked when the agent is known.
    env: [],
    inheritEnv: true,
    name: undefined,
    holdLeaseWhileAsking: undefined,
  };
  return summaryOf(said, name, schema);
}
