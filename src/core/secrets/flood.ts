// A flood of secrets: so many that to look at each would take longer than to save them. What looking may cost is bounded;
// beyond that text is masked unseen, up to a line end behind which it is safe to look again.
import { BASE64, BYTE_CLASSES } from "./byte-classes.ts";

export const FLOOD_MASK = "[secret: too many to look at one by one]";

export interface LookLimits {
  /** So many bytes may be looked at beyond the sieve, at once. */
  readonly burst: number;
  /** And so many more for each byte that comes. */
  readonly perByte: number;
  /** What must be there again before text is looked at that comes after a flood: one mark for much of it. */
  readonly restart: number;
}

/**
 * Measured, a KB of source takes 20 looks, of JSON 190, of lines that are a URL or a password each 1,200 and 2,600: the
 * first two never come to the limit, and of the last two some megabytes are masked one by one. A look takes 8 ns.
 */
export const LOOK_LIMITS: LookLimits = { burst: 1 << 22, perByte: 0.5, restart: 1 << 18 };

export class LookBudget {
  readonly #limits: LookLimits;
  #left: number;

  constructor(limits: LookLimits) {
    this.#limits = limits;
    this.#left = limits.burst;
  }

  get left(): number {
    return this.#left;
  }

  get isRestored(): boolean {
    return this.#left >= this.#limits.restart;
  }

  refill(bytes: number): void {
    this.#left = Math.min(this.#limits.burst, this.#left + bytes * this.#limits.perByte);
  }

  spend(looks: number): void {
    this.#left = Math.max(0, this.#left - looks);
  }
}

/** No private key is longer whose lines stand behind something else, as in a diff; else only the lines above its body count. */
const MAX_KEY = 16 * 1024;
/** Of a shorter piece it is not known that it is the whole line which begins a key: what is held begins anywhere. */
const MAX_KEY_LINE = 128;
const LINE_END = 10;

interface Restart {
  /** From there text is looked at again, for what begins there and goes on behind the line end. */
  readonly from: number;
  /** The line end; what stands before it is not written. */
  readonly lineEnd: number;
}

/**
 * Where text can be looked at again, from the first line end on that stands at `at` or behind it; null where there is
 * none, or where all before it may be the body of a private key: nothing else goes on behind a line end.
 */
export function findRestart(bytes: Buffer, at: number, minBytes: number): Restart | null {
  const lineEnd = bytes.indexOf(LINE_END, at);
  if (lineEnd === -1) return null;
  let last = lineEnd - 1;
  while (last >= 0 && isInKeyBody(bytes[last] ?? 0)) last -= 1;
  if (last < MAX_KEY_LINE) return null;
  const from = Math.min(last - MAX_KEY, lineEnd - minBytes);
  return { from: Math.max(0, from), lineEnd };
}

/** Base64, its padding, line ends, also as JSON writes them, and what a line is indented by. */
const isInKeyBody = (byte: number): boolean =>
  ((BYTE_CLASSES[byte] ?? 0) & BASE64) !== 0 || KEY_BODY_SIGNS.has(byte);

const KEY_BODY_SIGNS = new Set(Buffer.from("=\\\r\n\t "));
