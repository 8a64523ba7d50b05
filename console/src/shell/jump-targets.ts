/** Where the command box can go by name: the lists and the other screens. */

import { fold } from '@patch/catalogue/definition/fold.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { session } from '../api/session.ts';
import { accountPath, listPath } from '../widgets/list-paths.ts';
import { entriesFor, type SidebarEntry, sidebarGroups } from './sidebar-entries.ts';

const home = catalogueLists
  .filter(({ route }) => route === '')
  .map((list): SidebarEntry => ({ path: listPath(list), label: list.label, mark: list.key }));

const targets: readonly SidebarEntry[] = [
  ...home,
  ...sidebarGroups.flatMap(({ entries }) => entries),
  { path: accountPath, label: 'My account', mark: 'users' },
];

const maxShown = 6;

export function jumpTargets(typed: string): readonly SidebarEntry[] {
  return namedBy(entriesFor(targets, session().user?.userType), typed).slice(0, maxShown);
}

/** Those whose name has all the words in it, best first: a name that begins with what was typed before others. */
export function namedBy<Named extends { readonly label: string }>(
  all: readonly Named[],
  typed: string,
): readonly Named[] {
  const words = fold(typed.trim());
  if (words === '') return all;
  const named = all.filter(({ label }) =>
    words.split(/\s+/).every((word) => fold(label).includes(word)),
  );
  const begins = ({ label }: Named) => Number(fold(label).startsWith(words));
  return named.toSorted((a, b) => begins(b) - begins(a));
}
