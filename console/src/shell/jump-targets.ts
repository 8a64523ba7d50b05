/** Where the jump box can go by name: the lists and the other screens. */

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

/** Those whose name has all the words in it, best first: a name that begins with what was typed before others. */
export function jumpTargets(typed: string): readonly SidebarEntry[] {
  const words = typed.trim().toLowerCase();
  const open = entriesFor(targets, session().user?.userType);
  if (words === '') return open.slice(0, maxShown);
  const named = open.filter(({ label }) =>
    words.split(/\s+/).every((word) => label.toLowerCase().includes(word)),
  );
  const begins = ({ label }: SidebarEntry) => Number(label.toLowerCase().startsWith(words));
  return named.toSorted((a, b) => begins(b) - begins(a)).slice(0, maxShown);
}
