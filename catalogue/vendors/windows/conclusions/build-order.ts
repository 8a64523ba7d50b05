/** Replacements among a product's KBs that follow from their fixed builds. */
import { isCumulative, isIncludedInCumulative } from '../names/kb-lines.ts';
import { compareBuilds } from './fixed-build.ts';
import type { PlacedKb } from './product-kbs.ts';

/** Yields each KB with the KBs of the next higher build, so that the chain has every step. */
export function* findReplacementsByBuild(
  kbs: readonly PlacedKb[],
): Generator<{ readonly older: string; readonly newer: string }> {
  const built = kbs.filter(({ build }) => build !== null);
  const cumulative = built.filter(({ line }) => isCumulative(line));
  const hotpatches = built.filter(({ line }) => line === 'Hotpatch');
  const included = built.filter(({ line }) => isIncludedInCumulative(line));
  for (const [olderKbs, newerKbs] of [
    [[...cumulative, ...included], cumulative],
    [hotpatches, hotpatches],
  ] as const) {
    for (const older of olderKbs)
      for (const newer of findNextHigher(older, newerKbs))
        yield { older: older.kb, newer: newer.kb };
  }
}

/** Returns several KBs only when they have the same build. */
function findNextHigher({ build }: PlacedKb, among: readonly PlacedKb[]): readonly PlacedKb[] {
  const higher = among.filter(
    (other) => build !== null && other.build !== null && compareBuilds(other.build, build) > 0,
  );
  const lowest = higher.reduce<PlacedKb | undefined>(
    (low, other) => (low === undefined || comparePlaced(other, low) < 0 ? other : low),
    undefined,
  );
  return lowest === undefined ? [] : higher.filter((other) => comparePlaced(other, lowest) === 0);
}

const comparePlaced = (a: PlacedKb, b: PlacedKb) =>
  a.build === null || b.build === null ? 0 : compareBuilds(a.build, b.build);
