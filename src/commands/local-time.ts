const two = (value: number): string => String(value).padStart(2, "0");

/** `2026-11-05 14:03:22` on the clock of whoever looks; the record itself is in UTC. */
export function formatTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  return `${day} ${clock}`;
}
