/** Finds the lists and screens that the command box can open by name. */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { session } from '../api/session.ts';
import { accountPath, listPath } from '../widgets/list-paths.ts';
import { filterEntries, type SidebarEntry, sidebarGroups } from './sidebar-entries.ts';

const home = catalogueLists
  .filter(({ route }) => route === '')
  .map((list): SidebarEntry => ({ path: listPath(list), label: list.label, mark: list.key }));

const targets: readonly SidebarEntry[] = [
  ...home,
  ...sidebarGroups.flatMap(({ entries }) => entries),
  { path: accountPath, label: 'My account', mark: 'users' },
];

const maxShown = 6;

export function findScreens(typed: string): readonly SidebarEntry[] {
  return filterByLabel(filterEntries(targets, session().user?.userType), typed).slice(0, maxShown);
}

/** Returns the entries whose label contains all words, those that start with the text first. */
export function filterByLabel<Labelled extends { readonly label: string }>(
  all: readonly Labelled[],
  typed: string,
): readonly Labelled[] {
  const words = fold(typed.trim());
  if (words === '') return all;
  const matches = all.filter(({ label }) =>
    words.split(/\s+/).every((word) => fold(label).includes(word)),
  );
  const startsWithText = ({ label }: Labelled) => Number(fold(label).startsWith(words));
  return matches.toSorted((a, b) => startsWithText(b) - startsWithText(a));
}
