// What PostgreSQL and the way to it raise: what passes by itself, and what a person has to act on.
import { Fault, fault } from "../command/fault.ts";
import { RowDamaged } from "./storage-fault.ts";

// https://www.postgresql.org/docs/18/errcodes-appendix.html: connection lost, deadlock, a lock that was
// not to be had, too many connections, a transaction ended for its silence, a server that stops or starts.
const PASSING_STATES = /^(08...|40001|40P01|55P03|53300|25P03|57P0[1-5])$/;
const PASSING_SYSTEM_CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"],
]);
/** The client library's own, which carry no code (pg 8.23). */
const PASSING_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (was closed|has encountered a connection error))/;

/** pg-boss passes over a job that somebody else looks at in this very moment. */
export class JobAway extends Error {}

/** The same again may succeed, once the server is there. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof JobAway) return true;
  const code = codeOf(error);
  if (code === null) return PASSING_MESSAGES.test(error.message);
  return PASSING_STATES.test(code) || PASSING_SYSTEM_CODES.has(code);
}

const codeOf = (error: Error): string | null =>
  "code" in error && typeof error.code === "string" ? error.code : null;

const RIGHTS = "give the user the right to create schemas in this database, or name another user";
const HINTS: Readonly<Record<string, string>> = {
  "28P01": "check user and password of the address",
  "28000": "check user and password of the address, and what the server allows this machine",
  "3D000": "create the database, or name another one",
  "42501": RIGHTS,
  "53100": "free some space on the server",
  ENOTFOUND: "check the host of the address",
};

/** The server by its place: user, password and parameters are nobody else's business. */
export function nameServer(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

/** Faults and bugs pass unchanged; only what the server or the network did is explained. */
export function explainServerFailure(path: string, error: unknown): unknown {
  if (error instanceof Fault || !(error instanceof Error)) return error;
  if (error instanceof RowDamaged || error instanceof JobAway)
    return fault("StoreUnavailable", { path, problem: error.message }, { cause: error });
  if (isPassing(error)) {
    const hint = "see that the server runs and can be reached from here, then try again";
    const problem = `the server does not answer (${codeOf(error) ?? error.message})`;
    return fault("StoreUnavailable", { path, problem }, { hint, cause: error });
  }
  const code = codeOf(error);
  const hint = code === null ? undefined : HINTS[code];
  if (hint === undefined) return error;
  return fault("StoreUnavailable", { path, problem: error.message }, { hint, cause: error });
}
