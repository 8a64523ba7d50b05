/** Around every page: its title in the tab, and the theme. */
import { HeadContent, Outlet } from '@tanstack/react-router';
import { usePageTheme } from './page-theme.ts';

export function RootFrame() {
  usePageTheme();
  return (
    <>
      <HeadContent />
      <Outlet />
    </>
  );
}
