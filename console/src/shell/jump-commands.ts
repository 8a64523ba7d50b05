/** Commands that the command box offers on every page: syncs, new users and files, theme, password, shortcuts, sign-out. */
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { isUnderWay } from '../api/use-sources.ts';
import { downloadsPath, usersPath } from '../widgets/list-paths.ts';
import type { MarkKey } from '../widgets/vendor-mark.tsx';

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
      ? ([
          {
            kind: 'command',
            label: 'New user',
            mark: 'users',
            run: () => go(usersPath, { show: 'new' }),
          },
          {
            kind: 'command',
            label: 'API keys',
            mark: 'users',
            run: () => go(usersPath, { show: 'keys' }),
          },
          {
            kind: 'command',
            label: 'New download',
            mark: 'downloads',
            run: () => go(downloadsPath),
          },
        ] as const)
      : []),
    {
      kind: 'command',
      label: 'Keyboard shortcuts',
      mark: 'configuration',
      key: '?',
      run: context.showShortcuts,
    },
    { kind: 'command', label: 'Change password', mark: 'sso', run: context.changePassword },
    {
      kind: 'command',
      label: 'Collapse or expand the menu',
      mark: 'configuration',
      run: context.toggleSidebar,
    },
    { kind: 'command', label: 'Theme: Light', mark: 'configuration', run: () => setTheme('light') },
    { kind: 'command', label: 'Theme: Dark', mark: 'configuration', run: () => setTheme('dark') },
    {
      kind: 'command',
      label: 'Theme: System',
      mark: 'configuration',
      run: () => setTheme('system'),
    },
    { kind: 'command', label: 'Sign out', mark: 'users', run: context.signOut },
  ];
}

/** Returns commands for sources that are idle and enabled. Other syncs cannot start. */
function listSyncCommands({ sources, sync }: CommandContext): readonly JumpCommand[] {
  const idle = sources.filter((state) => state.available && state.enabled && !isUnderWay(state));
  if (idle.length === 0) return [];
  return [
    { kind: 'command', label: 'Sync all available', mark: 'sync', run: () => sync(idle) },
    ...idle.map(
      (state): JumpCommand => ({
        kind: 'command',
        label: `Sync ${state.label}`,
        mark: 'sync',
        run: () => sync([state]),
      }),
    ),
  ];
}
