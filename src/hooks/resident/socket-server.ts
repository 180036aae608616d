// The side of the resident that the bash client talks to: one call per connection.
import { createServer, type Server, type Socket } from "node:net";
import { TURN_HOOK_NAME } from "../pipeline/hook-call.ts";
import type { CallTracker } from "./calls.ts";
import { formatAnswer, readWireCall, type WireCall } from "./wire.ts";

/** The client gives up on a resident that says nothing for longer than this. */
const SIGN_OF_LIFE_MS = 1_000;
const ARRIVAL_LIMIT_MS = 10_000;

interface SocketServerOptions {
  readonly clientKey: string;
  readonly serverKey: string;
  readonly calls: CallTracker;
  /** Who calls now is sent away, and answered cold. */
  readonly isRetiring: () => boolean;
  readonly refuse: (problem: string) => void;
}

export function createSocketServer(options: SocketServerOptions): Server {
  return createServer({ noDelay: true }, (socket) => receive(socket, options));
}

function receive(socket: Socket, options: SocketServerOptions): void {
  const chunks: Buffer[] = [];
  let [arrived, needed] = [0, 1];
  let isDone = false;
  // A client that goes away is no fault; `close` follows and says so.
  socket.on("error", () => undefined);
  const refuse = (problem: string) => {
    isDone = true;
    socket.destroy();
    options.refuse(problem);
  };
  socket.setTimeout(ARRIVAL_LIMIT_MS, () => {
    if (!isDone) refuse("no call in time");
  });
  socket.once("end", () => {
    if (!isDone) refuse("no whole call");
  });
  socket.on("data", (chunk: Buffer) => {
    if (isDone) return;
    chunks.push(chunk);
    arrived += chunk.length;
    if (arrived < needed) return;
    const reading = readWireCall(joined(chunks), options.clientKey);
    if (reading.kind === "incomplete") {
      needed = reading.needs;
      return;
    }
    if (reading.kind === "refused") return refuse(reading.problem);
    isDone = true;
    socket.setTimeout(0);
    void serve(socket, reading.call, options);
  });
}

function joined(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = Buffer.concat(chunks);
  chunks.splice(0, chunks.length, whole);
  return whole;
}

async function serve(socket: Socket, call: WireCall, options: SocketServerOptions): Promise<void> {
  const { serverKey, calls } = options;
  // A step of a turn is decided by whoever runs the turn, and the way there is the cold one.
  if (options.isRetiring() || call.env[TURN_HOOK_NAME]) {
    socket.end(formatAnswer(serverKey, "cold"));
    return;
  }
  const caller = new AbortController();
  socket.once("close", () => caller.abort());
  let sign: "wait" | "held" = "wait";
  const giveSign = () => {
    if (socket.writable) socket.write(formatAnswer(serverKey, sign));
  };
  const signs = setInterval(giveSign, SIGN_OF_LIFE_MS);
  const onHeld = () => {
    sign = "held";
    giveSign();
  };
  try {
    const reply = await calls.answer({ ...call, onHeld }, caller.signal);
    socket.end(formatAnswer(serverKey, "answer", reply), () => calls.finish(reply));
  } catch {
    // An answerer never throws; should it, the cold way is still there and tells what is wrong.
    socket.end(formatAnswer(serverKey, "cold"));
  } finally {
    clearInterval(signs);
  }
}
