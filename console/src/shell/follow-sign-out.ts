/** However a session ends, the loaded data is cleared and the login page opens with the way back. */
import type { QueryClient } from '@tanstack/react-query';
import { onSignedOut } from '../api/session.ts';
import type { ConsoleRouter } from './router.tsx';

export function followSignOut(router: ConsoleRouter, queryClient: QueryClient): () => void {
  return onSignedOut((cause) => {
    // Cleared once the page that shows it is gone: a mounted page would fetch it again.
    const forget = () => queryClient.clear();
    void queryClient.cancelQueries();
    const { pathname, href } = router.state.location;
    if (pathname === '/login') void router.invalidate().finally(forget);
    else
      void router
        .navigate({ to: '/login', search: { redirectFrom: href }, state: { signedOut: cause } })
        .finally(forget);
  });
}
