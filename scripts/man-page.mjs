// The man page of `adj`, made from what `--help` is made from: the summaries of the bundled commands. Exit codes and files are
// those of docs/program.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./workspace.mjs";

/** Of a terminal of eighty columns, less what man indents. */
const WIDTH = 66;

export async function makeManPage() {
  const { summarizeBundled } = await import("../src/bundled-summaries.ts");
  const { commonFlagsOf, PROGRAM_FLAGS } = await import("../src/core/command/program-flags.ts");
  const { formatUsage } = await import("../src/core/terminal/usage-text.ts");
  const summaries = await summarizeBundled();
  const common = commonFlagsOf([])
    .map(({ flag }) => `--${flag}`)
    .join(", ");
  const commands = summaries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return [
    '.\\" Made by `npm run reference`.',
    '.TH ADJ 1 "" Adjutant "User Commands"',
    ".SH NAME",
    "adj \\- the command layer for coding agents",
    ".SH SYNOPSIS",
    ".B adj",
    "[flags] NAME [words…]",
    ".SH DESCRIPTION",
    text("Runs a command, the same one from a shell, from CI and from inside coding agents."),
    text("Flags of adj stand before the name; everything behind it is the command's."),
    ".SH OPTIONS",
    ...PROGRAM_FLAGS.flatMap(describeFlag),
    ".PP",
    text(`Commands with arguments of their own also take ${common} behind their name.`),
    ".SH COMMANDS",
    ...commands.flatMap((summary) => describeCommand(summary, formatUsage)),
    ".SH EXIT STATUS",
    ...tableOf("Exit codes"),
    ".SH FILES",
    ...tableOf("Files"),
    "",
  ].join("\n");
}

function describeFlag({ flag, short, value, description }) {
  const term = `${short === null ? "" : `-${short}, `}--${flag}`;
  return [".TP", text(value === null ? term : `${term} ${value.toUpperCase()}`), text(description)];
}

/** The text of `adj help NAME`, its first line as the title, without what every command has. */
function describeCommand(summary, formatUsage) {
  const [title = "", ...blocks] = formatUsage(summary, null, WIDTH).split("\n\n");
  const own = blocks.filter((block) => !block.startsWith("flags of every command\n"));
  return [`.SS ${text(title)}`, ".nf", ...own.join("\n\n").split("\n").map(text), ".fi"];
}

/** The rows of the table below a title of docs/program.md. */
function tableOf(title) {
  const page = readFileSync(join(ROOT, "docs", "program.md"), "utf8");
  const [, part = ""] = page.split(`\n## ${title}\n`);
  const rows = part
    .split("\n## ")[0]
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return rows.slice(2).flatMap((row) => {
    const [term = "", meaning = ""] = row.slice(2, -2).split(" | ");
    return [".TP", text(term.replaceAll("`", "")), text(meaning.replaceAll("`", ""))];
  });
}

/** Nothing in it is a request of roff. */
function text(line) {
  const plain = line.replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return /^[.']/.test(plain) ? `\\&${plain}` : plain;
}
