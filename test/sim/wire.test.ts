import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inTier } from "../support/tier.ts";
import { ask, parseEvents, post, serve } from "./model-client.ts";
import { anthropic, chat, gemini, responses, WIRE_CLIENTS } from "./wire-clients.ts";

const SCENARIO = `
turns:
  - thinking: Which command lists the files?
    text: I will look, it takes a moment.
    tool_calls:
      - { tool: shell, command: "ls -la | head" }
  - text: There are three files.
`;

const cases = WIRE_CLIENTS.flatMap((client) =>
  [true, false].map((stream) => ({
    name: `${client.name}, ${stream ? "streaming" : "whole"}`,
    client,
    stream,
  })),
);

describe.each(cases)("$name", ({ client, stream }) => {
  test("a turn arrives with its thinking, its text and its tool call", async () => {
    const sim = await serve(SCENARIO);
    const answer = await ask(client, sim, { stream, said: ["list the files"], tools: true });
    expect(answer.thinking).toBe("Which command lists the files?");
    expect(answer.text).toBe("I will look, it takes a moment.");
    expect(answer.calls.map((call) => call.arguments)).toEqual([{ command: "ls -la | head" }]);
  });

  test("the conversation's length says which turn is next, whatever was retried before", async () => {
    const sim = await serve(SCENARIO);
    const opening = { stream, said: ["list the files"], tools: true };
    await ask(client, sim, opening);
    await ask(client, sim, opening);
    const said = ["list the files", "I will look, it takes a moment."];
    const answer = await ask(client, sim, { stream, said, toolResult: "a b c", tools: true });
    expect(answer.text).toBe("There are three files.");
    expect(sim.requests().at(-1)?.request?.messages.at(-1)).toEqual({
      role: "tool",
      text: "a b c",
    });
  });

  test("any text comes through unharmed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: "grapheme" }), async (text) => {
        const sim = await serve(JSON.stringify({ turns: [{ text }] }));
        const answer = await ask(client, sim, { stream, said: ["say it"] });
        await sim.close();
        expect(answer.text).toBe(text);
      }),
      { numRuns: inTier(20, 40) },
    );
  });
});

const usage = `
usage: { input_tokens: 1000, output_tokens: 200, cache_read_tokens: 300, cache_write_tokens: 40, reasoning_tokens: 50 }
turns: [{ text: hello }]
`;

test.each([
  {
    client: anthropic,
    expected: {
      input_tokens: 660,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 40,
      output_tokens: 200,
      output_tokens_details: { thinking_tokens: 50 },
    },
  },
  {
    client: responses,
    expected: {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 300, cache_write_tokens: 40 },
      output_tokens: 200,
      output_tokens_details: { reasoning_tokens: 50 },
      total_tokens: 1200,
    },
  },
  {
    client: chat,
    expected: {
      prompt_tokens: 1000,
      prompt_tokens_details: { cached_tokens: 300 },
      completion_tokens: 200,
      completion_tokens_details: { reasoning_tokens: 50 },
      total_tokens: 1200,
    },
  },
  {
    client: gemini,
    expected: {
      promptTokenCount: 1000,
      cachedContentTokenCount: 300,
      candidatesTokenCount: 150,
      thoughtsTokenCount: 50,
      totalTokenCount: 1200,
    },
  },
])("the same figures reach $client.name in its own words", async ({ client, expected }) => {
  const sim = await serve(usage);
  for (const stream of [true, false]) {
    const answer = await ask(client, sim, { stream, said: ["hi"] });
    expect(answer.usage).toEqual(expected);
  }
});

test.each([
  {
    client: anthropic,
    first: "message_start",
    last: "message_stop",
  },
  { client: responses, first: "response.created", last: "response.completed" },
])("the events of $client.name are named", async ({ client, first, last }) => {
  const sim = await serve("turns: [{ text: hello }]");
  const response = await post(sim, client.path(true), client.body({ stream: true, said: ["hi"] }));
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const events = parseEvents(await response.text());
  expect([events.at(0)?.event, events.at(-1)?.event]).toEqual([first, last]);
});

test("chat completions end with a done mark after the usage", async () => {
  const sim = await serve("turns: [{ text: hello }]");
  const response = await post(sim, chat.path(true), chat.body({ stream: true, said: ["hi"] }));
  expect(parseEvents(await response.text()).at(-1)?.data).toBe("[DONE]");
});

test("Gemini streams a JSON array when no events are asked for", async () => {
  const sim = await serve("turns: [{ text: hello there my friend }]");
  const body = gemini.body({ stream: true, said: ["hi"] });
  const response = await post(sim, "/v1beta/models/m:streamGenerateContent", body);
  const chunks: unknown = JSON.parse(await response.text());
  expect(Array.isArray(chunks) && chunks.length > 1).toBe(true);
});

test("a tool that takes free text gets the text as it is", async () => {
  const sim = await serve(
    'turns: [{ tool_calls: [{ tool: write, path: a.txt, content: "one\\ntwo\\n" }] }]',
  );
  const response = await post(sim, "/v1/responses", {
    input: "write it",
    tools: [{ type: "custom", name: "apply_patch" }],
  });
  expect(await response.json()).toMatchObject({
    output: [
      {
        type: "custom_tool_call",
        name: "apply_patch",
        input: "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n",
      },
    ],
  });
});
