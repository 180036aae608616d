import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openAudit } from "../src/core/store/audit.ts";
import { openerOn } from "../src/program.ts";
import { temporaryFolder, writeFiles } from "./support/temporary-folder.ts";

test("what is opened for another folder records where the program does, with the agent that asks", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { "project/.adjutant/config.yaml": "", "client/.keep": "" });
  const stateDir = join(folder, "state");
  const elsewhere = join(folder, "client", "state");
  const open = openerOn({ stateDir, configDir: join(folder, "config") });
  const adjutant = await open({
    cwd: join(folder, "project"),
    env: { HOME: folder, ADJ_STATE_DIR: elsewhere },
    surface: "mcp",
    agent: "an-editor",
  });
  const { correlationId } = await adjutant.dispatch({ name: "nowhere" });
  await adjutant.close();

  const audit = openAudit(stateDir);
  const events = [...audit.read({ correlationId })];
  audit.close();
  expect(events.map(({ origin }) => origin)).toContainEqual({ surface: "mcp", agent: "an-editor" });
  expect(existsSync(elsewhere)).toBe(false);
});
