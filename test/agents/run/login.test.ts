import { expect, test } from "vitest";
import { pickEnvironment } from "../../../src/agents/run/login.ts";
import { ADAPTERS, adapterOf } from "../../support/agents.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

// biome-ignore format: a table, one line each
test.each<[agent: string, path: string, text: string]>([
  ["codex", ".codex/config.toml", '[model_providers.mine]\nenv_key = "MY_KEY"\n'],
  ["opencode", ".config/opencode/opencode.json", '{"provider":{"x":{"options":{"apiKey":"{env:MY_KEY}"}}}}'],
  ["qwen", ".qwen/settings.json", '{"modelProviders":{"openai":[{"id":"m","envKey":"MY_KEY"}]}}'],
])("the variable that a person's own configuration of %s names for a key reaches it", (agent, path, text) => {
  const home = temporaryFolder();
  const env = { HOME: home, MY_KEY: "k", OTHER_KEY: "o" };
  const adapter = adapterOf(agent);
  expect(pickEnvironment(adapter, env)).toEqual({ HOME: home });
  writeFiles(home, { [path]: text });
  expect(pickEnvironment(adapter, env)).toEqual({ HOME: home, MY_KEY: "k" });
});

test.each(ADAPTERS)("certificates and its own keys reach $name", (adapter) => {
  const own = Object.fromEntries(adapter.login.variables.map((name) => [name, "k"]));
  const env = { NODE_EXTRA_CA_CERTS: "/ca.pem", SSL_CERT_FILE: "/ssl.pem", ...own };
  expect(pickEnvironment(adapter, { ...env, UNRELATED: "x" })).toEqual(env);
});

test("a configuration that cannot be read names nothing", () => {
  const home = temporaryFolder();
  writeFiles(home, { ".codex/config.toml/inner": "" });
  expect(pickEnvironment(adapterOf("codex"), { HOME: home, MY_KEY: "k" })).toEqual({ HOME: home });
});
