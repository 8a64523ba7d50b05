/** Which KBs of a product replace which by their fixed builds alone. */
import { compareBuilds } from './fixed-build.ts';
import { isCumulative, isHeldByCumulative } from './kb-lines.ts';
import type { PlacedKb } from './product-kbs.ts';

/** Each to the next higher build, so that the chain has every step. */
export function* replacementsByBuild(
  kbs: readonly PlacedKb[],
): Generator<{ readonly older: string; readonly newer: string }> {
  const built = kbs.filter(({ build }) => build !== null);
  const cumulative = built.filter(({ line }) => isCumulative(line));
  const hotpatches = built.filter(({ line }) => line === 'Hotpatch');
  const held = built.filter(({ line }) => isHeldByCumulative(line));
  for (const [olderOnes, newerOnes] of [
    [[...cumulative, ...held], cumulative],
    [hotpatches, hotpatches],
  ] as const) {
    for (const older of olderOnes)
      for (const newer of nextHigher(older, newerOnes)) yield { older: older.kb, newer: newer.kb };
  }
}

/** More than one only where several have the same build. */
function nextHigher({ build }: PlacedKb, among: readonly PlacedKb[]): readonly PlacedKb[] {
  const higher = among.filter(
    (other) => build !== null && other.build !== null && compareBuilds(other.build, build) > 0,
  );
  const lowest = higher.reduce<PlacedKb | undefined>(
    (low, other) => (low === undefined || compare(other, low) < 0 ? other : low),
    undefined,
  );
  return lowest === undefined ? [] : higher.filter((other) => compare(other, lowest) === 0);
}

const compare = (a: PlacedKb, b: PlacedKb) =>
  a.build === null || b.build === null ? 0 : compareBuilds(a.build, b.build);
