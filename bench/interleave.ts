// Times several things in turn, round after round, so that the machine's moods hit all of them alike.

export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

export interface Timing {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
}

export async function interleave(
  contenders: readonly Contender[],
  rounds: number,
): Promise<Timing[]> {
  const samples = contenders.map((): number[] => []);
  for (const { run } of contenders) await run();
  for (let round = 0; round < rounds; round++)
    for (const [place, { run }] of contenders.entries()) {
      const startedAt = performance.now();
      await run();
      samples[place]?.push(performance.now() - startedAt);
    }
  return contenders.map(({ name }, place) => ({
    name,
    p50: quantile(samples[place] ?? [], 0.5),
    p95: quantile(samples[place] ?? [], 0.95),
  }));
}

function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export interface Bar {
  /** Which timing, against which, and how many times as long it may take. */
  readonly of: string;
  readonly against: string;
  readonly atMost: number;
}

/** Prints every timing, then each bar as a ratio with a verdict. */
export function report(title: string, timings: readonly Timing[], bars: readonly Bar[]): void {
  console.log(`\n${title}`);
  const width = Math.max(...timings.map(({ name }) => name.length));
  for (const { name, p50, p95 } of timings)
    console.log(`  ${name.padEnd(width)}  p50 ${format(p50)}  p95 ${format(p95)}`);
  const find = (name: string) => timings.find((timing) => timing.name === name)?.p50 ?? Number.NaN;
  for (const { of, against, atMost } of bars) {
    const ratio = find(of) / find(against);
    const verdict = ratio <= atMost ? "holds" : "MISSED";
    console.log(`  ${of} / ${against} = ${ratio.toFixed(2)} (at most ${atMost}) ${verdict}`);
  }
}

function format(milliseconds: number): string {
  const text =
    milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} µs` : `${milliseconds.toFixed(1)} ms`;
  return text.padStart(9);
}
