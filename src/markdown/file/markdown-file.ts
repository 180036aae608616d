// A Markdown command as its file says it, checked as far as no agent is needed for it.
import type { CommandSummary } from "../../core/command/definition.ts";
import { type Fault, fault } from "../../core/command/fault.ts";
import { didYouMean, quoteNames } from "../../core/command/names.ts";
import { summaryOf } from "../../core/load/summary.ts";
import { type SplitMarkdown, splitFrontMatter } from "../../core/project/front-matter.ts";
import { type Body, listVariables } from "../body/body.ts";
import { parseBody } from "../body/parse.ts";
import {
  describeMarkdownArguments,
  type Input,
  listInputs,
  type MarkdownArguments,
  templateVariables,
} from "./inputs.ts";
import { checkFields, type MarkdownFields } from "./keys.ts";
import { AGENT_SUFFIXES } from "./named-agent.ts";

interface LayerFolder {
  readonly shown: string;
  readonly real: string;
  /** It is the copy of a project that somebody trusted. */
  readonly isCopy?: boolean;
}

interface MarkdownLocation {
  readonly name: string;
  /** What the file's name says of the agent: `claude` of `review.claude.md`. */
  readonly suffix: string | null;
  /** As its owner knows it. */
  readonly file: string;
  /** Where it was read: of a project in the trusted copy. */
  readonly path: string;
  /** The layer's folder as its owner knows it, and where it is read. */
  readonly layerFolder: LayerFolder;
}

export interface MarkdownFile extends MarkdownLocation {
  readonly fields: MarkdownFields;
  readonly frontMatter: SplitMarkdown["frontMatter"];
  readonly at: SplitMarkdown["at"];
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
export function parseMarkdown(text: string, location: MarkdownLocation): MarkdownFile {
  const split = splitFrontMatter(text, location.file);
  const fields = checkFields(split);
  const body = parseBody(split.body, { file: location.file, line: split.bodyLine });
  const variables = listVariables(body);
  const { frontMatter, at } = split;
  const inputs = listInputs({ fields, frontMatter, variables, at });
  const { args, schema } = describeMarkdownArguments(inputs, takesWords(split, variables));
  return {
    ...location,
    fields,
    frontMatter,
    at,
    body,
    inputs,
    templateVars: templateVariables(inputs),
    namedAgent: readSuffix(location),
    summary: summarize(fields, location.name, schema),
    args,
  };
}

/** Words are taken where the template, a mapping or a program of the user's own has a use for them. */
const takesWords = ({ frontMatter }: SplitMarkdown, variables: readonly string[]): boolean =>
  variables.some((name) => /^args$|^arg\d+$/.test(name)) ||
  Object.keys(frontMatter).some((key) => /^\$\d+$/.test(key) && !/^\$0*1$/.test(key)) ||
  frontMatter.argv !== undefined;

function readSuffix({ suffix, file }: MarkdownLocation): string | null {
  if (suffix === null) return null;
  const agent = AGENT_SUFFIXES.get(suffix);
  if (agent !== undefined) return agent;
  throw unknownSuffix(suffix, file);
}

function unknownSuffix(suffix: string, file: string): Fault {
  const known = [...AGENT_SUFFIXES.keys()];
  const guess = didYouMean(suffix, known, 1);
  return fault(
    "FileInvalid",
    { problem: `\`${suffix}\` in the file's name is no agent${guess}` },
    { where: { file }, hint: `known are ${quoteNames(known)}` },
  );
}

function summarize(
  fields: MarkdownFields,
  name: string,
  schema: MarkdownArguments["schema"],
): CommandSummary {
  const written = {
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
    person: undefined,
    agents: undefined,
  };
  return summaryOf(written, name, schema);
}
