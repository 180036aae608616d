// A home whose sessions have a host of their own, which ends with the test.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openState } from "../../src/core/store/state.ts";
import type { StateStore } from "../../src/core/store/stores.ts";
import { findHost } from "../../src/session/host/address.ts";
import { stopHost } from "../../src/session/host/client.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ADJ, type Home, makeHome, type Printed, type Started, start } from "./adj.ts";

export interface SessionHome extends Home {
  readonly sessionId: string;
  readonly store: StateStore;
  /** Sends with the demo partner and waits for its answer. */
  send(...words: string[]): Promise<Printed>;
  startSend(...words: string[]): Started;
  /** The id of the question that waits, as soon as there is one. */
  question(): Promise<string>;
  /** The pid of the host that runs now. */
  hostPid(): number;
}

export function makeSessionHome(more: Readonly<Record<string, string>> = {}): SessionHome {
  const home = makeHome();
  const env = { ...home.env, ADJ_HOST_IDLE: "60s", ...more };
  const place = { cwd: home.project, env };
  const store = openState(home.stateDir);
  const startSend = (...words: string[]) =>
    start(ADJ, ["send", "--agent", "replay", ...words], place);
  onTestFinished(async () => {
    store.close();
    const host = findHost(home.stateDir);
    if (host === null) return;
    // It may be about to end by itself.
    await stopHost(host).catch(() => undefined);
    await waitUntil(() => findHost(home.stateDir) === null);
  });
  return {
    ...home,
    env,
    adj: (...words) => start(ADJ, words, place).ended,
    store,
    sessionId: `project:${home.project}`,
    startSend,
    send: (...words) => startSend(...words).ended,
    question: async () => {
      await waitUntil(() => store.questions.listOpen().length > 0);
      return store.questions.listOpen()[0]?.id ?? "";
    },
    hostPid: () => Number(readFileSync(join(home.stateDir, "host"), "utf8").split(" ")[2]),
  };
}
