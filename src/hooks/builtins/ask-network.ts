// Has a person asked before something goes to a host that nobody named. Package managers, git and their like talk to the
// hosts that a project has chosen; that is everyday work and asked about only with `everyday: ask`.
import { matchGlob } from "../../core/project/glob.ts";
import { analyzeStepLine } from "../../core/shell/analyze-line.ts";
import type { LineAnalysis, SimpleCommand } from "../../core/shell/simple-command.ts";
import type { StepSubject } from "../../core/step/envelope.ts";
import type { StepName } from "../../core/step/step.ts";
import type { Verdict } from "../../core/step/verdict.ts";
import { actBecause, actUnsure, type Builtin, NO_INTERVENTION } from "./builtin.ts";
import { TooMuchToLookAt } from "./files/look-limit.ts";
import { hostsIn } from "./network/hosts.ts";
import { networkUse } from "./network/network-use.ts";
import type { BuiltinOptions } from "./options.ts";
import { textsIn } from "./payload-texts.ts";

type NetworkOptions = BuiltinOptions<"ask-network">;

const STEPS: readonly StepName[] = ["before_tool", "before_permission"];

export const askNetwork: Builtin<NetworkOptions> = {
  name: "ask-network",
  description: "has a person asked before a tool or a shell line reaches a host that is not listed",
  steps: STEPS,
  decide(options, subject) {
    const unsure = (what: string): Verdict => {
      const why = `it cannot be said whether it uses the network: ${what}`;
      return actUnsure(options.unsure, options.reason ?? why, subject);
    };
    try {
      const use = findNetworkUse(subject, options);
      if (use !== null)
        return actBecause(options.action, options.reason ?? `it uses the network: ${use}`);
      const hidden = findHidden(subject);
      return hidden === null ? NO_INTERVENTION : unsure(hidden);
    } catch (error) {
      if (!(error instanceof TooMuchToLookAt)) throw error;
      return unsure(error.message);
    }
  },
};

function findHidden(subject: StepSubject): string | null {
  const line = analyzeStepLine(subject);
  if (line === null) return null;
  if (line.problem !== null) return `the line cannot be read: ${line.problem}`;
  const written = line.unsure.find(({ kind }) => kind === "written-script")?.text;
  // A file whose name is put together may be a connection of bash's.
  const opened = /\b(tcp|udp)\b/.test(line.line)
    ? line.unsure.find(({ kind }) => kind === "redirect")?.text
    : undefined;
  const program = line.unresolved[0] ?? written ?? opened;
  return program === undefined ? null : `what \`${program}\` runs is known only when it runs`;
}

/** What uses the network, null where nothing does or all hosts are known ones. */
function findNetworkUse(subject: StepSubject, options: NetworkOptions): string | null {
  const { kind, args, tool } = subject.envelope;
  if (kind === "fetch") {
    const named = textsIn(args ?? {}).flatMap(hostsIn);
    return areKnown(named, options) ? null : `\`${tool ?? kind}\` ${named.join(", ")}`.trim();
  }
  const line = analyzeStepLine(subject);
  if (line === null || line.problem !== null) return null;
  for (const command of line.commands) {
    const unlisted = unlistedHosts(command, line, options);
    if (unlisted === null) continue;
    const named = unlisted.filter((host) => host !== "?");
    const hosts = [...new Set(named)].slice(0, MAX_HOSTS).map((host) => `\`${host}\``);
    const why =
      hosts.length === 0 ? "" : `; not among the \`hosts\` of the rule: ${hosts.join(", ")}`;
    return `\`${command.text}\`${why}`;
  }
  return null;
}

const MAX_HOSTS = 5;

const areKnown = (named: readonly string[], { hosts }: Pick<NetworkOptions, "hosts">): boolean =>
  named.length > 0 &&
  named.every((name) => {
    const spelt = LOOPBACK.test(name) ? "localhost" : name;
    return hosts.some((glob) =>
      [name, spelt].some((each) => matchGlob(glob, each, { style: "text" })),
    );
  });

/** Other names of this machine. */
const LOOPBACK =
  /^(?:\[?::1\]?|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|(?:[\w-]{1,63}\.)?localhost)$/;

/** Null where it reaches none but those that are listed, or none that somebody has to be asked about. */
function unlistedHosts(
  command: SimpleCommand,
  line: LineAnalysis,
  options: NetworkOptions,
): readonly string[] | null {
  const use = networkUse(command, line);
  if (use === null || (use.isEveryday && options.everyday === "pass")) return null;
  if (areKnown(use.hosts, options)) return null;
  return use.hosts.filter((host) => !areKnown([host], options));
}
