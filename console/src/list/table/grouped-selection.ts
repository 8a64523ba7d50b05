/** Marks the records of an update with its row. */
import type { OpenedGroups } from '../pages/use-opened-groups.ts';
import type { Selection } from './row-selection.tsx';

export function useGroupedSelection(
  selection: Selection,
  { groups, open }: Pick<OpenedGroups, 'groups' | 'open'>,
): Selection {
  // The records of an open update have rows of their own.
  const listIds = (id: number): readonly number[] =>
    open.has(id) ? [id] : (groups.get(id)?.ids ?? [id]);
  return {
    ...selection,
    toggle: (id) => {
      const ids = listIds(id);
      const isMarked = selection.ids.has(id);
      selection.togglePage(isMarked ? ids.filter((one) => selection.ids.has(one)) : ids);
    },
    togglePage: (ids) => selection.togglePage(ids.flatMap(listIds)),
  };
}
