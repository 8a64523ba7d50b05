/** Light, dark or system theme, stored with the user's preferences. */
import type { themeModes } from '@patch/contract/operations/preference-endpoints.ts';
import { useMediaQuery } from '../theme/media-query.ts';
import type { ThemeName } from '../theme/tokens.ts';
import { updateFrame, usePreferences } from './preferences.ts';

export type ThemeMode = (typeof themeModes)[number];

/** Returns the chosen `mode` and the `theme` that results from it. */
export function useThemeMode(): {
  readonly mode: ThemeMode;
  readonly theme: ThemeName;
  readonly setMode: (mode: ThemeMode) => void;
} {
  const { theme: mode = 'system' } = usePreferences().frame;
  const systemDark = useMediaQuery('(prefers-color-scheme: dark)');
  const theme = mode === 'system' ? (systemDark ? 'dark' : 'light') : mode;
  return { mode, theme, setMode: (next) => updateFrame({ theme: next }) };
}
