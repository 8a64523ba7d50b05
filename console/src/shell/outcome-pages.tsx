/** Pages for failures: not found, server error, and a page that did not load. */

import { type ErrorComponentProps, getRouteApi, Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiCallError } from '../api/api-call-error.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { HomeLink } from '../widgets/home-link.tsx';
import { PublicFrame } from '../widgets/public-frame.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import { isChunkFailure, PageTimedOut } from './lazy-page.tsx';

const reloadButton = (
  <Button look="primary" onClick={() => location.reload()}>
    Reload
  </Button>
);

function renderHomeLink(words: string): ReactNode {
  return (
    <Link to="/login" className={buttonClass({ look: 'primary' })}>
      {words}
    </Link>
  );
}

/** Limits the name, because an address can contain any text. */
const maxNameLength = 100;

export function NotFoundPage() {
  const { module } = useSearch({ strict: false });
  return (
    <PublicFrame>
      <StateDrawing isPage state="not-found" title="oops" action={renderHomeLink('Go to home')}>
        <strong>404.</strong> Looks like you are lost
        {module === undefined ? null : (
          <>
            <br />
            Missing module: module with name {module.slice(0, maxNameLength)} is not found
          </>
        )}
      </StateDrawing>
    </PublicFrame>
  );
}

const internalError =
  'The server encountered an internal error or misconfiguration and was unable to complete your request.';

const serverErrorRoute = getRouteApi('/500');

export function ServerErrorPage() {
  const { message } = serverErrorRoute.useSearch();
  return (
    <PublicFrame>
      <StateDrawing isPage state="failure" title="Oops!" action={renderHomeLink('Go To Home')}>
        <strong>500.</strong> {message ?? internalError}
      </StateDrawing>
    </PublicFrame>
  );
}

/** Replaces a page that could not be loaded or failed while rendering. */
export function PageFailure({ error }: ErrorComponentProps) {
  if (error instanceof PageTimedOut)
    return (
      <StateDrawing state="failure" title="The page timed out" action={reloadButton}>
        The page timed out while loading. Are you sure you're still connected to the Internet?
      </StateDrawing>
    );
  if (isChunkFailure(error))
    return (
      <StateDrawing state="failure" title="ChunkLoadError" action={reloadButton}>
        A part of the console could not be loaded. It may have been updated since this page was
        opened: reload to continue.
      </StateDrawing>
    );
  if (error instanceof ApiCallError)
    return (
      <StateDrawing
        state={error.status === 403 ? 'forbidden' : 'failure'}
        title={error.userMessage}
        // A reload would be refused again.
        action={error.status === 403 ? <HomeLink primary /> : reloadButton}
        requestId={error.requestId}
      >
        {error.status === 0
          ? 'Check that the service is running and that this computer can reach it, then reload.'
          : undefined}
      </StateDrawing>
    );
  return (
    <StateDrawing state="failure" title="This page stopped working" action={reloadButton}>
      {error instanceof Error ? error.message : String(error)}
    </StateDrawing>
  );
}
