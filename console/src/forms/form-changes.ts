/** Whether a form holds anything else than before. What is untouched and what is empty are the same: text typed and erased again is no change. */

export function isChanged(before: unknown, now: unknown): boolean {
  return written(before) !== written(now);
}

/** Only the changed fields of a form: another user may have changed the others meanwhile. */
export function changesOf<Whole extends object>(
  before: Partial<Whole>,
  now: Whole,
): Partial<Whole> {
  const names = Object.keys(now) as (keyof Whole)[];
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<Whole>;
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

const written = (value: unknown): string =>
  JSON.stringify(value ?? {}, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const given = Object.entries(inner).filter(([, one]) => !isNothing(one));
    return Object.fromEntries(given.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
