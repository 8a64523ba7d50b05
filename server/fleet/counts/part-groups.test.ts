import { expect, test } from 'vitest';
import { ActiveExceptions } from '../judgement/missing-exception-store.ts';
import { Random } from '../testing/random-fleet.ts';
import { type MissingOfPart, type PartGroup, PartGroups } from './part-groups.ts';

/** Joins each two groups that share a record, until no two do. */
function groupPlainly(parts: readonly MissingOfPart[]): readonly (readonly MissingOfPart[])[] {
  const groups = parts.map((part) => [part]);
  const recordsOf = (group: readonly MissingOfPart[]) =>
    new Set(group.flatMap(({ missing }) => missing));
  for (let one = 0; one < groups.length; one += 1)
    for (let other = one + 1; other < groups.length; other += 1) {
      const [a = [], b = []] = [groups[one], groups[other]];
      if (recordsOf(a).isDisjointFrom(recordsOf(b))) continue;
      a.push(...b);
      groups.splice(other, 1);
      other = one;
    }
  return groups;
}

const written = (groups: readonly PartGroup[]) =>
  groups
    .map((group) =>
      group
        .map(
          ({ partId, missing, isWhole }) =>
            `${partId}${isWhole ? '' : ' without some'}: ${[...missing].toSorted((a, b) => a - b).join()}`,
        )
        .toSorted()
        .join('; '),
    )
    .toSorted();

test('groups the parts of random machines as comparing each two parts does', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = new Random(seed);
    const records = 2 + random.below(40);
    const partIds = Array.from({ length: 2 + random.below(30) }, (_, index) => index * 3);
    const missing = new Map<number, readonly number[]>();
    const exceptions = new ActiveExceptions(
      Array.from({ length: random.below(3) }, () => ({
        clientId: 1,
        machineId: random.below(4),
        missingId: random.below(records),
      })),
    );
    const groups = new PartGroups(missing, exceptions);
    for (let machine = 0; machine < 12; machine += 1) {
      // What parts miss is read with the machines that have them.
      const parts = partIds.filter(() => random.below(3) === 0);
      for (const part of parts)
        if (!missing.has(part) && part % 2 === 0)
          missing.set(part, [
            ...new Set(Array.from({ length: 1 + random.below(3) }, () => random.below(records))),
          ]);
      const expected = parts.flatMap((partId): MissingOfPart[] => {
        const all = missing.get(partId) ?? [];
        const own = all.filter((id) => !exceptions.covers(1, machine % 4, id));
        return own.length === 0
          ? []
          : [{ partId, missing: own, isWhole: own.length === all.length }];
      });
      const found = groups.find({ clientId: 1, id: machine % 4, parts });
      expect({ seed, machine, found }).toEqual({ seed, machine, found: expected });
      const kept = found.filter(() => random.below(10) > 0);
      expect({ seed, machine, groups: written(groups.group(kept)) }).toEqual({
        seed,
        machine,
        groups: written(groupPlainly(kept)),
      });
    }
  }
});

test('returns the same group for each machine whose part misses records alone', () => {
  const missing = new Map([
    [1, [10, 11]],
    [2, [12]],
    [3, [11, 13]],
  ]);
  const groups = new PartGroups(missing, new ActiveExceptions([]));
  const groupsOf = (id: number, parts: readonly number[]) =>
    groups.group(groups.find({ clientId: 1, id, parts }));
  const [first, second] = [groupsOf(1, [1, 2]), groupsOf(2, [2, 1])];
  expect(first).toHaveLength(2);
  expect(new Set([...first, ...second]).size).toBe(2);
  expect(groupsOf(3, [3, 2, 1])).toHaveLength(2);
});
