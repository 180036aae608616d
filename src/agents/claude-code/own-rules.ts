// The person's own permission rules in Claude Code. It tests them on what a hook made of a line, so a rule about
// `adj-NAME` would miss a call that was answered: such a line has to stay as it was typed (2.1.325).
import { join } from "node:path";
import { readJsonObject } from "../../core/project/kept-value.ts";
import { asRecord } from "../log/json-fields.ts";
import { agentHome, type InstallContext } from "../steps/installer.ts";

const MANAGED = "/etc/claude-code/managed-settings.json";

/** Whether a rule of any layer denies the line or wants to be asked about it. */
export function hasOwnRule(line: string, place: InstallContext): boolean {
  const home = agentHome(place, "CLAUDE_CONFIG_DIR", ".claude");
  const project = join(place.root, ".claude");
  const files = [
    join(home, "settings.json"),
    join(project, "settings.json"),
    join(project, "settings.local.json"),
    MANAGED,
  ];
  return files.some((file) => rulesIn(file).some((rule) => isAbout(rule, line.trim())));
}

function rulesIn(file: string): unknown[] {
  const { deny, ask } = asRecord(readJsonObject(file)?.permissions);
  return [deny, ask].flatMap((rules) => (Array.isArray(rules) ? rules : []));
}

/** `Bash`, `Bash(adj-x)`, `Bash(adj-x:*)`, `Bash(adj-* list)`. */
function isAbout(rule: unknown, line: string): boolean {
  if (rule === "Bash") return true;
  const inside = typeof rule === "string" ? /^Bash\((.*)\)$/s.exec(rule)?.[1] : undefined;
  if (inside === undefined) return false;
  if (!inside.endsWith(":*")) return matchesStars(inside, line);
  const prefix = inside.slice(0, -2);
  return line === prefix || matchesStars(`${prefix} *`, line);
}

/** Each piece at the first place it has; none is ever tried twice. */
function matchesStars(pattern: string, line: string): boolean {
  const pieces = pattern.split("*");
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  if (pieces.length === 1) return pattern === line;
  // A rule that ends in ` *` is about the command without words, too.
  if (last === "" && `${line} `.startsWith(first) && pieces.length === 2) return true;
  if (!line.startsWith(first) || !line.endsWith(last)) return false;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = line.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at + last.length <= line.length;
}
