// The entries of our MCP server in the agents' files: whether what they start is there.
import { findMcpInstaller } from "../../agents/roster.ts";
import { INSTALL_SCOPES, type InstallContext } from "../../agents/steps/installer.ts";
import { attentionFinding, type Finding, okFinding } from "../../core/commands/finding.ts";
import { findProgram } from "../../core/process/find-program.ts";
import { lookAtServer } from "../../hooks/install/change-server.ts";

export async function judgeServers(agent: string, target: InstallContext): Promise<Finding[]> {
  const installer = await findMcpInstaller(agent);
  if (installer === null) return [];
  const findings: Finding[] = [];
  for (const scope of INSTALL_SCOPES) {
    const { file, words } = lookAtServer(installer, scope, target);
    const program = words?.[0];
    if (program === undefined) continue;
    const search = await findProgram(program, { path: target.env.PATH, cwd: target.root });
    const flag = scope === "user" ? "" : " --project";
    findings.push(
      search.kind === "found"
        ? okFinding(`${scope}: the MCP server is in ${file}`)
        : attentionFinding(
            `${scope}: the MCP server in ${file} is \`${program}\`, which is not there`,
            `\`adj install ${agent} --mcp${flag}\` mends it, \`adj uninstall ${agent} --mcp${flag}\` takes it away`,
          ),
    );
  }
  return findings;
}
