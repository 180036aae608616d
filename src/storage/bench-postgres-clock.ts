// The clocks of many machines need not agree: what is compared is told in the server's time.

export interface ServerClock {
  /** A time of this machine as the server would put it, in milliseconds. */
  toServer(at: Date): number;
  /** What the server said it was when asked at `askedAt`; answers whether we had thought otherwise. */
  hear(serverMs: number, askedAt: number): boolean;
}

/** Less than any limit of ours. An answer that took longer says nothing. */
const TOLERANCE_MS = 1_000;

export function createServerClock(): ServerClock {
  let ahead = 0;
  return {
    toServer: (at) => at.getTime() + ahead,
    hear: (serverMs, askedAt) => {
      const underWay = Date.now() - askedAt;
      const heard = serverMs - askedAt - underWay / 2;
      if (underWay > TOLERANCE_MS || Math.abs(heard - ahead) <= TOLERANCE_MS) return false;
      ahead = heard;
      return true;
    },
  };
}
