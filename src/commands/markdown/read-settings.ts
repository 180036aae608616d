import { asList, asName, asRecord } from "../../agents/json-fields.ts";
import type { Program } from "../program.ts";
import type { CallSettings } from "./markdown-call.ts";

/** The settings were checked when they were read; here they only lost their type on the way. */
export async function readCallSettings(program: Program): Promise<CallSettings> {
  const settings = await program.settings();
  const commands = Object.entries(asRecord(settings.commands));
  return {
    agent: asName(settings.agent),
    model: asName(settings.model),
    commands: Object.fromEntries(commands.map(([name, defaults]) => [name, asRecord(defaults)])),
    importHosts: asList(settings.importHosts).map(String),
  };
}
