/** Derives the verdict on each installed KB, and on Windows itself, from the verdicts on the product's updates. */
import type { Machine } from '../machine.ts';
import type { RecordVerdict, WindowsUpdate } from './machine-fixes.ts';
import { graver, type JudgedItem, notJudged, type Verdict } from './verdict.ts';

export interface JudgedUpdates {
  readonly product: string;
  /** All updates of the product. */
  readonly updates: readonly WindowsUpdate[];
  /** By update key. */
  readonly records: ReadonlyMap<string, RecordVerdict>;
}

/** An installed KB has the verdict of the missing updates that replace it; a KB that no record of the product lists is not judged. */
export function kbVerdicts(
  { kbs }: Pick<Machine, 'kbs'>,
  { product, updates, records }: JudgedUpdates,
): readonly JudgedItem[] {
  const newer = new Map<string, readonly string[]>();
  const own = new Map<string, Verdict>();
  for (const { key, kb, supersededBy } of updates) {
    newer.set(kb, [...(newer.get(kb) ?? []), ...supersededBy]);
    const found = toVerdict(records.get(key), product);
    own.set(kb, graver(own.get(kb) ?? found, found));
  }
  const known = new Set([...newer].flatMap(([kb, others]) => [kb, ...others]));
  return kbs.map((kb) => {
    const replacing = [...reachable(kb, newer)].flatMap((one) => own.get(one) ?? []);
    const verdict = known.has(kb)
      ? replacing.reduce(graver, { kind: 'fixed', comparedWith: product })
      : notJudged('kbUnknown');
    return { name: `KB${kb}`, verdict };
  });
}

/** Returns the most serious verdict of the product's updates. */
export function systemVerdict({ product, updates, records }: JudgedUpdates): Verdict {
  return updates
    .map(({ key }) => toVerdict(records.get(key), product))
    .reduce<Verdict>(graver, { kind: 'fixed', comparedWith: product });
}

function toVerdict(record: RecordVerdict | undefined, product: string): Verdict {
  if (record?.kind === 'missing' || record?.kind === 'needsSubscription')
    return { kind: 'missing' };
  if (record?.kind === 'uncertain') return { kind: 'uncertain', reason: record.reason };
  return { kind: 'fixed', comparedWith: product };
}

/** Returns all KBs that replace a KB, directly or through others. */
export function reachable(
  kb: string,
  newer: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...(newer.get(kb) ?? [])];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    open.push(...(newer.get(one) ?? []));
  }
  return seen;
}
