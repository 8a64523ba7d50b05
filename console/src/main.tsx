/** Starts the console in the page. */
// This import comes first, because it must run before any schema is created.
import './api/zod-without-eval.ts';
import 'antd/dist/reset.css';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './theme/page-base.css';
import './theme/utilities.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchAbout } from './api/fetch-about.ts';
import { newQueryClient } from './api/query-client.ts';
import { prefetchFirstPage } from './shell/first-page.ts';
import { followSignOut } from './shell/follow-sign-out.ts';
import { newRouter } from './shell/router.tsx';
import { keepPresses } from './shell/steady-press.ts';
import { writeVariables } from './theme/css-variables.ts';
import { ToastHost } from './widgets/toast-host.tsx';
import { TooltipHost } from './widgets/tooltip-host.tsx';

const root = document.getElementById('console');
if (root === null) throw new Error('The page has no root element for the console');

writeVariables();
keepPresses();
const queryClient = newQueryClient();
const router = newRouter();
prefetchFirstPage(queryClient, router.latestLocation);
void fetchAbout();
followSignOut(router, queryClient);

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastHost />
      <TooltipHost />
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
