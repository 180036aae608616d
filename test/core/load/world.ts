import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { resolveCommand } from "../../../src/core/command/registry.ts";
import { type LoadedLayers, type LoadRequest, loadLayers } from "../../../src/core/load/layers.ts";
import type { Runtime } from "../../../src/core/load/runtime.ts";
import { approveProject } from "../../../src/core/project/trust/approval.ts";
import { fileKinds } from "../../../src/features.ts";
import { markRepository, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";
import { bundledHello } from "./bundled-hello.ts";

export const RUNTIME: Runtime = {
  version: "1.0.0",
  libraryUrl: new URL("./fixtures/library.ts", import.meta.url).href,
  workerUrl: new URL("../../../src/index-worker.ts", import.meta.url).href,
};

type Files = Readonly<Record<string, string>>;

/** A user's folder, a project and a state folder of their own. */
export interface World {
  readonly folder: string;
  readonly root: string;
  readonly paths: { readonly stateDir: string; readonly configDir: string };
  user(files: Files): void;
  project(files: Files): void;
  /** Writes into the state folder, which it makes, and names it. */
  state(files: Files): string;
  trust(): Promise<{ hash: string; copyDir: string }>;
  request(extra?: Partial<LoadRequest>): LoadRequest;
  load(name?: string): Promise<LoadedLayers>;
}

export function makeWorld(): World {
  const folder = temporaryFolder();
  const root = join(folder, "project");
  const paths = { stateDir: join(folder, "state"), configDir: join(folder, "config") };
  markRepository(root);
  const request = (extra: Partial<LoadRequest> = {}): LoadRequest => ({
    cwd: root,
    paths,
    runtime: RUNTIME,
    bundled: bundledHello(),
    fileKinds: fileKinds(null),
    ...extra,
  });
  return {
    folder,
    root,
    paths,
    user: (files) => writeFiles(paths.configDir, files),
    project: (files) => writeFiles(root, files),
    state: (files) => {
      mkdirSync(paths.stateDir, { recursive: true });
      writeFiles(paths.stateDir, files);
      return paths.stateDir;
    },
    trust: () => approveProject(root, paths.stateDir),
    request,
    load: (name) => loadLayers(request(name === undefined ? {} : { name })),
  };
}

/** What a name means, in a line. */
export function meaningOf(loaded: LoadedLayers, name: string): string {
  const found = resolveCommand(loaded.layers, name);
  if (found.kind === "unknown") return "unknown";
  const passed = found.passedOver.map(({ fault }) => fault.message).join("; ");
  if (found.kind === "broken") return `broken: ${passed}`;
  const over = found.hides.map(({ layer }) => layer).join(", ");
  return [
    `${found.at.layer}: ${found.entry.summary.description}`,
    ...(over === "" ? [] : [`hides ${over}`]),
    ...(passed === "" ? [] : [`passes over ${passed}`]),
  ].join("; ");
}

export const say = (description: string, rest = ""): string =>
  `export default { description: ${JSON.stringify(description)}, ${rest} run: () => null };\n`;
