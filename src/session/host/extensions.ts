// What features above sessions keep in the host: opened when it is first needed, told when the host comes and goes.
import type { JsonValue } from "../../core/command/context.ts";
import { fault } from "../../core/command/fault.ts";
import type { HostExtension, HostServices, TurnOrder } from "../../core/commands/host-extension.ts";

export class HostExtensions {
  readonly #services: HostServices;
  #opened: Promise<readonly HostExtension[]> | null = null;
  #open: readonly HostExtension[] = [];

  constructor(services: HostServices) {
    this.#services = services;
  }

  get busy(): number {
    return this.#open.reduce((sum, { busy }) => sum + busy, 0);
  }

  async call(
    name: string,
    method: string,
    body: JsonValue,
    env: Readonly<Record<string, string>>,
  ): Promise<JsonValue> {
    const extension = (await this.#load()).find((one) => one.name === name);
    if (extension === undefined)
      throw fault("InputInvalid", { what: `extension \`${name}\``, problem: "there is none" });
    return extension.call(method, body, env);
  }

  /** Null where no extension of that name has clients of its own. */
  async fetch(name: string, request: Request): Promise<Response | null> {
    const extension = (await this.#load()).find((one) => one.name === name);
    return (await extension?.fetch?.(request)) ?? null;
  }

  /** True where one of them takes care of it. */
  async takePrompt(order: TurnOrder): Promise<boolean> {
    for (const extension of await this.#load()) if (await extension.takePrompt(order)) return true;
    return false;
  }

  async takeOver(): Promise<void> {
    for (const extension of await this.#load()) await extension.takeOver();
  }

  async drain(): Promise<void> {
    await Promise.all(this.#open.map((extension) => extension.drain()));
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((extension) => extension.close()));
  }

  #load(): Promise<readonly HostExtension[]> {
    this.#opened ??= this.#openAll();
    return this.#opened;
  }

  async #openAll(): Promise<readonly HostExtension[]> {
    const makers = this.#services.program.features.flatMap(({ host }) => host ?? []);
    const opened = await Promise.all(makers.map(async (load) => (await load())(this.#services)));
    this.#open = opened;
    return opened;
  }
}
