/** The frame of every page: tab title and theme. */
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
