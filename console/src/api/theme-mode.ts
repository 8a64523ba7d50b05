/** Light, dark or as the system has it: the person's choice, kept with the preferences. */
import type { themeModes } from '@patch/contract/preference-endpoints.ts';
import { useMediaQuery } from '../theme/media-query.ts';
import type { ThemeName } from '../theme/tokens.ts';
import { updateFrame, usePreferences } from './preferences.ts';

export type ThemeMode = (typeof themeModes)[number];

/** `mode` is what was chosen, `theme` what is shown. */
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
