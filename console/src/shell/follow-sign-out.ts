/** When a session ends, clears the loaded data and opens the login page with the way back. */
import type { QueryClient } from '@tanstack/react-query';
import { onSignedOut } from '../api/session.ts';
import type { ConsoleRouter } from './router.tsx';

export function followSignOut(router: ConsoleRouter, queryClient: QueryClient): () => void {
  return onSignedOut((cause) => {
    // Cleared after the page has gone, because a mounted page would load it again.
    const clearData = () => queryClient.clear();
    void queryClient.cancelQueries();
    const { pathname, href } = router.state.location;
    if (pathname === '/login') void router.invalidate().finally(clearData);
    else
      void router
        .navigate({ to: '/login', search: { redirectFrom: href }, state: { signedOut: cause } })
        .finally(clearData);
  });
}
