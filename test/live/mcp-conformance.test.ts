// The protocol's official suite against our server over HTTP. Its result, scenario by scenario, is in docs/decisions/mcp.md.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../program/adj.ts";
import { openMcpWindow } from "../program/mcp-window.ts";
import { makeSessionHome } from "../program/session-home.ts";
import { writeSuiteCommands } from "./mcp-conformance/suite-commands.ts";
import { openSuiteProxy } from "./mcp-conformance/suite-proxy.ts";

const SCOPE = join(import.meta.dirname, "..", "..", "lab", "node_modules", "@modelcontextprotocol");
/** Where lab/ does not have it, a copy elsewhere: `ADJ_TEST_CONFORMANCE=FOLDER/dist/index.js`. */
const SUITE = process.env.ADJ_TEST_CONFORMANCE ?? join(SCOPE, "conformance", "dist", "index.js");
const EXPECTED = join(import.meta.dirname, "mcp-conformance", "expected-failures.yml");

const isThere = existsSync(SUITE);
if (!isThere && process.env.ADJ_TEST_REQUIRE === "all")
  throw new Error("the conformance suite is not installed in lab/, and all are required");

test.runIf(isThere)(
  "the official suite finds nothing but what we do not offer on purpose",
  async () => {
    const home = makeSessionHome();
    writeSuiteCommands(home);
    const proxy = await openSuiteProxy(await openMcpWindow(home));
    onTestFinished(() => proxy.close());
    const words = ["server", "--suite", "all", "--url", proxy.url, "--expected-failures", EXPECTED];
    const suite = start(process.execPath, [SUITE, ...words], { cwd: home.folder, env: home.env });
    const { exitCode, stdout } = await suite.ended;
    expect(exitCode, stdout).toBe(0);
    console.info(stdout.slice(stdout.indexOf("=== SUMMARY")));
  },
);
