/** Light, dark or as the system has it: the person's choice, kept in this browser. */
import { useSyncExternalStore } from 'react';
import { useMediaQuery } from './media-query.ts';
import type { ThemeName } from './tokens.ts';

export const themeModes = ['light', 'dark', 'system'] as const;
export type ThemeMode = (typeof themeModes)[number];

const storageKey = 'patch-repository.theme';
const watchers = new Set<() => void>();

const chosen = (): ThemeMode => themeModes.find((mode) => mode === localStorage.getItem(storageKey)) ?? 'system';

function choose(mode: ThemeMode): void {
  localStorage.setItem(storageKey, mode);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  addEventListener('storage', watcher);
  return () => {
    watchers.delete(watcher);
    removeEventListener('storage', watcher);
  };
}

/** `mode` is what was chosen, `theme` what is shown. */
export function useThemeMode(): { readonly mode: ThemeMode; readonly theme: ThemeName; readonly setMode: (mode: ThemeMode) => void } {
  const mode = useSyncExternalStore(watch, chosen);
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const theme = mode === 'system' ? (systemDark ? 'dark' : 'light') : mode;
  return { mode, theme, setMode: choose };
}
