// Which hosts the clients of databases talk to.
import { operandsOf, type SimpleCommand } from "../../../core/shell/simple-command.ts";
import { bareHosts, hostsIn, type NetworkUse } from "./hosts.ts";

export const DATABASES =
  /^(psql|pg_\w+|pgbench|createdb|dropdb|createuser|dropuser|vacuumdb|reindexdb|clusterdb|mysql\w*|mariadb[\w-]*|redis-cli|mongo\w*|clickhouse-client|sqlcmd|pgcli|mycli|iredis|valkey-cli|trino|presto)$/;

/** Without a host they talk to the machine they are on. */
export function databaseUse(
  { words, assignments }: SimpleCommand,
  named: readonly string[],
): NetworkUse | null {
  const args = words.slice(1).map(({ text }) => text);
  // A file of services says which host it is.
  const isService =
    args.some((arg) => /\bservice=/.test(arg)) ||
    assignments.some(({ name }) => /^PGSERVICE/.test(name));
  if (isService) return { hosts: ["?"], isEveryday: false };
  const given = args.flatMap((arg, index) => {
    if (/^(-h|--host|-S|--server)$/.test(arg)) return [args[index + 1] ?? "?"];
    return /^(?:--host=|--server=|-h)(.+)$/.exec(arg)?.[1] ?? /\bhost=(\S+)/.exec(arg)?.[1] ?? [];
  });
  const plain = given.flatMap((host) =>
    host.includes("://") ? hostsIn(host) : host.replace(/:\d{1,5}$/, ""),
  );
  const bare = /^mongo(sh)?$/.test(words[0]?.text ?? "")
    ? operandsOf(args).slice(0, 1).flatMap(bareHosts)
    : [];
  const hosts = [...named, ...plain, ...bare].filter((host) => !/^(\/|$)/.test(host));
  return hosts.length === 0 ? LOCAL_DATABASE : { hosts, isEveryday: false };
}

const LOCAL_DATABASE: NetworkUse = { hosts: [], isEveryday: true };
