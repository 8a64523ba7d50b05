/** Screens and commands that the command box offers on every page: syncs, new users and files, theme, password, shortcuts, sign-out. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { monthPattern, toCalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { session } from '../api/session.ts';
import { isUnderWay } from '../api/use-sources.ts';
import {
  accountPath,
  downloadsPath,
  listPath,
  monthPath,
  usersPath,
} from '../widgets/list-paths.ts';
import type { MarkKey } from '../widgets/vendor-mark.tsx';
import { filterEntries, type SidebarEntry, sidebarGroups } from './sidebar-entries.ts';

export interface JumpCommand {
  readonly kind: 'command';
  readonly label: string;
  readonly mark: MarkKey;
  /** A keyboard shortcut for the command. */
  readonly key?: string;
  readonly run: () => void;
}

/** Actions that only the layout can perform. */
export interface FrameActions {
  readonly changePassword: () => void;
  readonly toggleSidebar: () => void;
  readonly showShortcuts: () => void;
  readonly signOut: () => void;
}

interface CommandContext extends FrameActions {
  readonly isAdmin: boolean;
  readonly sources: readonly SourceState[];
  readonly sync: (sources: readonly SourceState[]) => void;
  readonly go: (path: string, search?: object) => void;
  readonly setTheme: (mode: 'light' | 'dark' | 'system') => void;
}

export function listCommands(context: CommandContext): readonly JumpCommand[] {
  const { isAdmin, go, setTheme } = context;
  return [
    ...(isAdmin ? listSyncCommands(context) : []),
    ...(isAdmin
      ? [
          command('New user', 'users', () => go(usersPath, { show: 'new' })),
          command('API keys', 'users', () => go(usersPath, { show: 'keys' })),
          command('New download', 'downloads', () => go(downloadsPath)),
        ]
      : []),
    { ...command('Keyboard shortcuts', 'configuration', context.showShortcuts), key: '?' },
    command('Change password', 'sso', context.changePassword),
    command('Collapse or expand the menu', 'configuration', context.toggleSidebar),
    command('Theme: Light', 'configuration', () => setTheme('light')),
    command('Theme: Dark', 'configuration', () => setTheme('dark')),
    command('Theme: System', 'configuration', () => setTheme('system')),
    command('Sign out', 'users', context.signOut),
  ];
}

const command = (label: string, mark: MarkKey, run: () => void): JumpCommand => ({
  kind: 'command',
  label,
  mark,
  run,
});

/** Returns commands for sources that are idle and enabled. Other syncs cannot start. */
function listSyncCommands({ sources, sync }: CommandContext): readonly JumpCommand[] {
  const idle = sources.filter((state) => state.available && state.enabled && !isUnderWay(state));
  if (idle.length === 0) return [];
  return [
    command('Sync all available', 'sync', () => sync(idle)),
    ...idle.map((state) => command(`Sync ${state.label}`, 'sync', () => sync([state]))),
  ];
}

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
  const found = filterByLabel(filterEntries(targets, session().user), typed);
  return [...findMonth(typed), ...found].slice(0, maxShown);
}

/** Finds a month that was typed: `June 2026`, `jun 2026`, `2026-06`. */
function findMonth(typed: string): readonly SidebarEntry[] {
  const words = fold(typed.trim());
  const [, name, year] = /^(\p{L}{3,9})\.? (\d{4})$/u.exec(words) ?? [];
  const number = name === undefined ? 0 : monthNames.findIndex((one) => one.startsWith(name)) + 1;
  const key = number > 0 ? `${year}-${String(number).padStart(2, '0')}` : words;
  if (!monthPattern.test(key)) return [];
  return [{ path: monthPath(key), label: toCalendarMonth(key).label, mark: 'month' }];
}

const monthNames =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

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
