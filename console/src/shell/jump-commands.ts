/** The commands that the command box offers on every page: syncs, new users and files, theme, password, shortcuts, sign-out. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { isUnderWay } from '../api/use-sources.ts';
import { downloadsPath, usersPath } from '../widgets/list-paths.ts';
import type { MarkKey } from '../widgets/vendor-mark.tsx';

export interface JumpCommand {
  readonly label: string;
  readonly mark: MarkKey;
  /** A key that does the same. */
  readonly key?: string;
  readonly run: () => void;
}

/** What commands do that only the layout can. */
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

export function jumpCommands(context: CommandContext): readonly JumpCommand[] {
  const { isAdmin, go, setTheme } = context;
  return [
    ...(isAdmin ? syncCommands(context) : []),
    ...(isAdmin
      ? ([
          { label: 'New user', mark: 'users', run: () => go(usersPath, { show: 'new' }) },
          { label: 'API keys', mark: 'users', run: () => go(usersPath, { show: 'keys' }) },
          { label: 'New download', mark: 'downloads', run: () => go(downloadsPath) },
        ] as const)
      : []),
    { label: 'Keyboard shortcuts', mark: 'configuration', key: '?', run: context.showShortcuts },
    { label: 'Change password', mark: 'sso', run: context.changePassword },
    { label: 'Collapse or expand the menu', mark: 'configuration', run: context.toggleSidebar },
    { label: 'Theme: Light', mark: 'configuration', run: () => setTheme('light') },
    { label: 'Theme: Dark', mark: 'configuration', run: () => setTheme('dark') },
    { label: 'Theme: System', mark: 'configuration', run: () => setTheme('system') },
    { label: 'Sign out', mark: 'users', run: context.signOut },
  ];
}

/** Sources that are idle and switched on; others cannot be started. */
function syncCommands({ sources, sync }: CommandContext): readonly JumpCommand[] {
  const idle = sources.filter((state) => state.available && state.enabled && !isUnderWay(state));
  if (idle.length === 0) return [];
  return [
    { label: 'Sync all available', mark: 'sync', run: () => sync(idle) },
    ...idle.map(
      (state): JumpCommand => ({
        label: `Sync ${state.label}`,
        mark: 'sync',
        run: () => sync([state]),
      }),
    ),
  ];
}
