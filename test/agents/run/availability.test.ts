import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  checkAvailability,
  locateProgram,
  programVariable,
  readVersion,
} from "../../../src/agents/run/availability.ts";
import { decideAuthentication, resolveLoginPath } from "../../../src/agents/run/login.ts";
import { ADAPTERS, adapterOf } from "../../support/agents.ts";
import { makePlace, makeProgram } from "./scripted-agent.ts";

const claude = adapterOf("claude-code");

describe("where a program is found", () => {
  test("configuration comes first, then the environment, then PATH", async () => {
    const place = makePlace();
    const onPath = makeProgram(place, "exit 0", "claude");
    const fromEnvironment = makeProgram(place, "exit 0", "from-env");
    const configured = makeProgram(place, "exit 0", "configured");
    const path = { PATH: place.folder };
    const named = { ...path, ADJ_AGENT_CLAUDE_CODE: fromEnvironment };
    expect(await locateProgram(claude, { env: path })).toEqual({ kind: "found", path: onPath });
    expect(await locateProgram(claude, { env: named })).toMatchObject({ path: fromEnvironment });
    expect(await locateProgram(claude, { env: named, configuredPath: configured })).toMatchObject({
      path: configured,
    });
  });

  test("a place that was named is not passed over for another", async () => {
    const place = makePlace();
    makeProgram(place, "exit 0", "claude");
    const env = { PATH: place.folder, ADJ_AGENT_CLAUDE_CODE: "/nowhere/claude" };
    expect(await locateProgram(claude, { env })).toMatchObject({
      kind: "missing",
      problem: expect.stringContaining("ADJ_AGENT_CLAUDE_CODE"),
    });
  });

  test("a path may begin with the home folder", async () => {
    const place = makePlace();
    const path = makeProgram({ ...place, folder: place.home }, "exit 0", "my-claude");
    const env = { PATH: "", HOME: place.home };
    expect(await locateProgram(claude, { env, configuredPath: "~/my-claude" })).toMatchObject({
      path,
    });
  });

  test("each agent has its own variable", () => {
    expect(ADAPTERS.map(({ name }) => programVariable(name))).toContain("ADJ_AGENT_CLAUDE_CODE");
  });
});

describe("an agent's availability", () => {
  const check = (body: string, mode = 0o755) => {
    const place = makePlace();
    chmodSync(makeProgram(place, body, "claude"), mode);
    return checkAvailability(claude, {
      env: { PATH: `${place.folder}:/usr/bin:/bin`, HOME: place.home },
    });
  };

  test("has path and version", async () => {
    expect(await check("echo '2.1.325 (Claude Code)'")).toMatchObject({
      available: true,
      version: "2.1.325",
      path: expect.stringMatching(/\/claude$/),
    });
  });

  test.each([
    ["prints no version", "echo hello"],
    ["fails", "echo 'needs Node 22' >&2; exit 1"],
    ["dies", "kill -9 $$"],
  ])("is denied to a program that %s, with the problem", async (_what, body) => {
    expect(await check(body)).toMatchObject({ available: false, problem: expect.any(String) });
  });

  test("is denied with the line that names the error, and not with the last of its advice", async () => {
    const body = "echo 'Error: native binary not installed.' >&2; echo 'Or reinstall.' >&2; exit 1";
    expect(await check(body)).toMatchObject({
      problem: expect.stringMatching(/could not tell its version: Error: native binary not/),
    });
  });

  test("is denied to a file that cannot be run", async () => {
    expect(await check("echo 1.0.0", 0o644)).toMatchObject({
      available: false,
      problem: expect.stringContaining("not an executable file"),
    });
  });

  test("is denied to a missing program, with the way to get it", async () => {
    for (const adapter of ADAPTERS.filter(({ program }) => program !== null))
      expect(await checkAvailability(adapter, { env: { PATH: "/nowhere" } })).toEqual({
        available: false,
        problem: expect.stringContaining(adapter.installHint),
      });
  });

  test.each([
    ["codex-cli 0.166.0", "0.166.0"],
    ["GitHub Copilot CLI 1.0.102.\nRun 'copilot update'", "1.0.102"],
    ["v1.18.33", "1.18.33"],
    ["0.24.4-nightly.1", "0.24.4-nightly.1"],
    ["no number", null],
  ])("reads the version of %j", (text, version) => {
    expect(readVersion(text)).toBe(version);
  });
});

describe("a login", () => {
  const facts = { hasVariable: false, hasFile: false, hasPossibleFile: false, platform: "linux" };

  test.each([
    [{ hasVariable: true }, true],
    [{ hasFile: true }, true],
    [{ hasPossibleFile: true }, "unknown"],
    [{ platform: "darwin" }, "unknown"],
    [{}, false],
  ])("with %j is %s", (known, expected) => {
    expect(decideAuthentication(claude.login, { ...facts, ...known })).toBe(expected);
  });

  test("is never denied to an agent that may run without one", () => {
    expect(decideAuthentication(adapterOf("opencode").login, facts)).toBe("unknown");
  });

  test("is looked for in the folder that a variable names", async () => {
    expect(resolveLoginPath("$CODEX_HOME|.codex/auth.json", { HOME: "/h" })).toBe(
      "/h/.codex/auth.json",
    );
    expect(resolveLoginPath("$CODEX_HOME|.codex/auth.json", { HOME: "/h", CODEX_HOME: "/c" })).toBe(
      "/c/auth.json",
    );
    expect(resolveLoginPath(".env", { HOME: "/h" })).toBe("/h/.env");
    expect(resolveLoginPath("/etc/x", {})).toBe("/etc/x");
    expect(resolveLoginPath(".env", {})).toBeNull();
    const place = makePlace();
    mkdirSync(join(place.home, ".claude"));
    writeFileSync(join(place.home, ".claude", ".credentials.json"), "{}");
    makeProgram(place, "echo 1.0.0", "claude");
    const env = { PATH: `${place.folder}:/bin`, HOME: place.home };
    expect(await checkAvailability(claude, { env })).toMatchObject({ authenticated: true });
  });
});
