import type { ServerClock } from "./bench-postgres-clock.ts";
import type { TrialQueue } from "./bench-postgres-queue.ts";
import type { Server } from "./bench-postgres-server.ts";

/** What every part of the store works with. */
export interface Desk {
  readonly server: Server;
  readonly clock: ServerClock;
  readonly queue: TrialQueue;
}
