import { describe, expect, test } from "vitest";
import { findPaths } from "../../../src/core/project/paths.ts";
import { faultOf } from "../../support/faults.ts";

describe("folders", () => {
  test.each([
    [
      "the defaults below home",
      {},
      "/home/ann/.local/state/adjutant",
      "/home/ann/.config/adjutant",
    ],
    [
      "XDG names the folder above",
      { XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c/" },
      "/s/adjutant",
      "/c/adjutant",
    ],
    [
      "ADJ names the folder itself and wins",
      { XDG_STATE_HOME: "/s", ADJ_STATE_DIR: "/a/state", ADJ_CONFIG_DIR: "/a/../b" },
      "/a/state",
      "/b",
    ],
    [
      "an empty variable is as good as none",
      { ADJ_STATE_DIR: "", XDG_CONFIG_HOME: "" },
      "/home/ann/.local/state/adjutant",
      "/home/ann/.config/adjutant",
    ],
  ])("%s", (_, env, stateDir, configDir) => {
    expect(findPaths(env, "/home/ann")).toEqual({ stateDir, configDir });
  });

  test.each(["ADJ_STATE_DIR", "ADJ_CONFIG_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"])(
    "a relative %s is refused by name",
    async (name) => {
      const raised = await faultOf(() => findPaths({ [name]: "some/where" }, "/home/ann"));
      expect(raised).toMatchObject({ class: "Usage", code: "InputInvalid" });
      expect(raised.message).toBe(`\`${name}\`: \`some/where\` is not an absolute path`);
    },
  );
});
