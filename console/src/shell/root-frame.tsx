/** The frame of every page: tab title, theme and width class. */
import { HeadContent, Outlet } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { useThemeMode } from '../api/theme-mode.ts';
import { useNarrow } from '../theme/media-query.ts';
import { colours } from '../theme/tokens.ts';

export function RootFrame() {
  usePageTheme();
  return (
    <>
      <HeadContent />
      <Outlet />
    </>
  );
}

/** Sets the theme and the width class of the page for the style sheets. */
function usePageTheme(): void {
  const { theme } = useThemeMode();
  const narrow = useNarrow();
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    document.documentElement.toggleAttribute('data-narrow', narrow);
    document
      .querySelector('meta[name=theme-color]')
      ?.setAttribute('content', colours.surface[theme]);
  }, [theme, narrow]);
}
