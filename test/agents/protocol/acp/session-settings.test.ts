import { describe, expect, test } from "vitest";
import { sampled } from "../../../support/tier.ts";
import { codesOf, saidBy, talk } from "../../acp/converse.ts";

const OPTION = {
  configOptions: [
    { id: "mode", category: "mode", currentValue: "ask", options: [{ value: "big", name: "Big" }] },
    {
      id: "llm",
      category: "model",
      currentValue: "m/small",
      options: [
        { value: "m/small", name: "Small" },
        { group: "g", name: "More", options: [{ value: "m/big", name: "Big" }] },
      ],
    },
  ],
};
const LIST = {
  models: {
    currentModelId: "$1",
    availableModels: [
      { modelId: "$1", name: "small" },
      { modelId: "$2", name: "big" },
    ],
  },
};

describe("the model", () => {
  test.each(
    sampled([
      ["an option by its value", OPTION, "m/big", 'option {"configId":"llm","value":"m/big"}'],
      ["an option by its name", OPTION, "Big", 'option {"configId":"llm","value":"m/big"}'],
      ["one of a list by its name", LIST, "big", 'model {"modelId":"$2"}'],
      ["one of a list by its id", LIST, "$2", 'model {"modelId":"$2"}'],
    ]),
  )("is chosen: %s", async (_, session, model, asked) => {
    const run = await talk({ session }, { config: { model } });
    const said = saidBy(run).replace('"sessionId":"s-1",', "");
    expect(said).toContain(asked);
    expect(run.log.model_info).toMatchObject({ name: model, source: "output" });
    expect(run.log.execution.status).toBe("success");
  });

  test.each(
    sampled([
      [OPTION, "m/small", "m/small"],
      [OPTION, "Small", "m/small"],
      [LIST, "small", "small"],
      [OPTION, undefined, "m/small"],
      [LIST, undefined, "small"],
      [{}, undefined, null],
    ]),
  )("of %j stays as it is with %s", async (session, model, name) => {
    const run = await talk({ session }, { config: model === undefined ? {} : { model } });
    expect(saidBy(run)).toBe("");
    expect(run.log.model_info.name).toBe(name);
  });

  test.each(
    sampled([
      [OPTION, "it has `m/small`, `m/big`"],
      [LIST, "it has `$1`, `$2`"],
      [{}, "lists no models"],
    ]),
  )("that is not among %j is refused before the prompt", async (session, words) => {
    const turn = [["say", "prompted"]] as const;
    const run = await talk({ session, turn }, { config: { model: "huge" } });
    expect(codesOf(run)).toEqual(["ACP_INVALID_CONFIG"]);
    expect(run.log.errors[0]?.message).toContain(words);
    expect(saidBy(run)).toBe("");
  });
});

describe("the agent's own mode", () => {
  const choices = ["auto", "https://example.test/modes#plan", "default"];
  const MODES = {
    modes: { currentModeId: "auto", availableModes: choices.map((id) => ({ id, name: id })) },
  };
  const MODE_OPTION = {
    configOptions: [
      {
        id: "m",
        category: "mode",
        currentValue: "build",
        options: [{ value: "build" }, { value: "plan" }],
      },
    ],
  };

  test.each(
    sampled([
      ["plan", MODES, 'session/set_mode {"modeId":"https://example.test/modes#plan"}'],
      ["ask", MODES, 'session/set_mode {"modeId":"default"}'],
      ["allowlist", MODES, 'session/set_mode {"modeId":"default"}'],
      ["auto", MODES, ""],
      ["plan", MODE_OPTION, 'session/set_config_option {"configId":"m","value":"plan"}'],
      ["ask", MODE_OPTION, ""],
      ["plan", {}, ""],
    ]),
  )("is brought in line with `%s`", async (permission_mode, session, asked) => {
    const run = await talk({ session }, { config: { permission_mode } });
    expect(saidBy(run).replace('"sessionId":"s-1",', "")).toBe(asked);
    expect(run.log.execution.status).toBe("success");
  });

  test("is set beside the model", async () => {
    const session = { ...MODES, ...LIST };
    const run = await talk({ session }, { config: { permission_mode: "plan", model: "big" } });
    expect(saidBy(run)).toMatch(/session\/set_mode .*session\/set_model /);
    expect(run.log.model_info.name).toBe("big");
  });
});

describe("a session", () => {
  test("that is taken up again does not say its past twice", async () => {
    const turn = [
      ["say", "Now."],
      ["stop", "end_turn"],
    ] as const;
    const run = await talk({ past: ["Long ago."], turn }, { config: { resume: "s-1" } });
    expect(saidBy(run)).toBe("Now.");
    expect(run.log.session).toEqual({ id: "s-1", resumable: true });
  });

  test("is not prompted where none was opened", async () => {
    const run = await talk({ session: { sessionId: null } });
    expect(codesOf(run)).toEqual(["ACP_ABORTED"]);
  });

  test("remembers what kind of call it is that permission is asked for", async () => {
    const turn = [
      ["update", { sessionUpdate: "tool_call", toolCallId: "c-1", kind: "edit", title: "Edit" }],
      [
        "ask",
        "session/request_permission",
        { toolCall: { toolCallId: "c-1" }, options: [{ optionId: "yes", kind: "allow_once" }] },
      ],
      ["stop", "end_turn"],
    ] as const;
    const config = { permission_mode: "allowlist", allowed_tools: ["edit"] };
    const run = await talk({ turn }, { config });
    expect(saidBy(run)).toContain('"optionId":"yes"');
  });

  test("shows a call as denied of which the agent says no more", async () => {
    const toolCall = { toolCallId: "c-1", kind: "edit", title: "Edit" };
    const options = [{ optionId: "no", kind: "reject_once" }];
    const turn = [
      ["ask", "session/request_permission", { toolCall, options }],
      ["stop", "end_turn"],
    ] as const;
    const { log } = await talk({ turn }, { config: { permission_mode: "ask" } });
    expect(log.tool_calls).toEqual([
      { id: "c-1", name: "edit", kind: "edit", arguments: { title: "Edit" }, permission: "denied" },
    ]);
  });
});
