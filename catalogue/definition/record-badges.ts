/** Flags that mark a record at a glance, derived from the definition of its list. */
import type { Badge } from './fields.ts';
import type { ListDefinition } from './list-definition.ts';

interface BadgeField {
  readonly name: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly badge: Badge;
}

/** Returns the badges in the order in which the list declares them, those that draw attention first. */
export function badgeFields(list: ListDefinition): readonly BadgeField[] {
  const found = Object.entries(list.fields).flatMap(([name, { label, help, badge }]) =>
    badge === undefined ? [] : [{ name, label, help, badge }],
  );
  return found.toSorted((a, b) => rank(a.badge) - rank(b.badge));
}

/** Returns the flag of the records that the list offers to hide; undefined when it has none or cannot filter by it. */
export function hideableFlag(list: ListDefinition): BadgeField | undefined {
  return badgeFields(list).find(
    ({ name, badge }) => badge === 'muted' && list.searchable.includes(name),
  );
}

/** Returns whether the record is dimmed. */
export function isMuted(list: ListDefinition, record: Readonly<Record<string, unknown>>): boolean {
  return badgeFields(list).some(({ name, badge }) => badge === 'muted' && record[name] === true);
}

const rank = (badge: Badge) => (badge === 'danger' ? 0 : 1);
