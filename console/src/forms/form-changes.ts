/** Compares form values. Untouched and empty values are equal, so text that was typed and erased does not count as a change. */

export function isChanged(before: unknown, now: unknown): boolean {
  return serialize(before) !== serialize(now);
}

/** Returns the saved values of the fields that the form has now. Nobody can change the others. */
export function findShown<Values extends object>(
  saved: Partial<Values>,
  now: Values,
): Partial<Values> {
  const entries = Object.entries(saved).filter(([name]) => Object.hasOwn(now, name));
  return Object.fromEntries(entries) as Partial<Values>;
}

/** Returns only the changed fields, because another user may have changed the others meanwhile. */
export function findChanges<Values extends object>(
  before: Partial<Values>,
  now: Values,
): Partial<Values> {
  const names = Object.keys(now) as (keyof Values)[];
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<Values>;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

const serialize = (value: unknown): string =>
  JSON.stringify(value ?? {}, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).filter(([, entry]) => !isEmpty(entry));
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
