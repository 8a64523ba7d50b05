/** Around every page: its title in the tab. */
import { HeadContent, Outlet } from '@tanstack/react-router';

export function RootFrame() {
  return (
    <>
      <HeadContent />
      <Outlet />
    </>
  );
}
