/** Placeholders instead of rows: the reason and the next step. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { useSession } from '../api/session.ts';
import { isUnderWay } from '../api/use-sources.ts';
import { limitChunkLoading } from '../theme/chunk-in-time.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { HomeLink } from '../widgets/home-link.tsx';
import { syncPath } from '../widgets/list-paths.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import type { RequestedSearch } from './typed-search.ts';

const RelaxedSearches = lazy(async () => ({
  default: (await limitChunkLoading(import('./relaxed-searches.tsx'))).RelaxedSearches,
}));

interface FailureProps {
  readonly failure: Error;
  readonly onReload: () => void;
  /** Undefined without a search to clear. */
  readonly onClear: (() => void) | undefined;
}

export function ListFailure({ failure, onReload, onClear }: FailureProps) {
  const {
    status = 0,
    userMessage = failure.message,
    requestId = null,
  } = failure instanceof ApiCallError ? failure : {};
  if (status === 403) {
    return (
      <StateDrawing
        state="forbidden"
        title="You don’t have access to this list"
        requestId={requestId}
        action={
          <>
            <Button look="primary" onClick={onReload}>
              Reload
            </Button>
            <HomeLink />
          </>
        }
      >
        {userMessage} Ask an administrator for access.
      </StateDrawing>
    );
  }
  if (status === 422 && onClear !== undefined) {
    return (
      <StateDrawing
        state="failure"
        title="This search is not valid"
        requestId={requestId}
        action={<Button onClick={onClear}>Clear the search</Button>}
      >
        {userMessage}
      </StateDrawing>
    );
  }
  return <LoadFailure what="list" failure={failure} onReload={onReload} />;
}

interface NoMatchProps {
  readonly list: ListDefinition;
  readonly currentSearch: RequestedSearch;
  readonly onAsk: (change: Partial<RequestedSearch>) => void;
  readonly onClear: () => void;
}

export function NoMatch({ list, currentSearch, onAsk, onClear }: NoMatchProps) {
  return (
    <StateDrawing
      state="no-match"
      title="No Data Found."
      action={
        <>
          <Suspense>
            <RelaxedSearches list={list} currentSearch={currentSearch} onAsk={onAsk} />
          </Suspense>
          <Button onClick={onClear}>Clear filters</Button>
        </>
      }
    >
      No record of {list.label} meets all the criteria.
    </StateDrawing>
  );
}

export function EmptyCatalogue({
  list,
  source,
}: {
  readonly list: ListDefinition;
  readonly source: SourceState | undefined;
}) {
  const isAdmin = useSession().user?.userType === 'Admin';
  if (list.source === null) {
    return (
      <StateDrawing state="empty" title="Nothing here yet">
        {list.label} will be listed here.
      </StateDrawing>
    );
  }
  const vendor = source?.label ?? list.shortLabel;
  if (source !== undefined && isUnderWay(source)) {
    return (
      <StateDrawing
        state="empty"
        title="Sync in progress"
        action={<Link to={syncPath}>Watch the sync</Link>}
      >
        {vendor} is syncing. Records will appear here when it finishes.
      </StateDrawing>
    );
  }
  if (source?.available === false) {
    return (
      <StateDrawing state="empty" title="Nothing here yet">
        This version does not collect {vendor} yet.
      </StateDrawing>
    );
  }
  const synced = source !== undefined && source.lastSuccessAt !== null;
  return (
    <StateDrawing
      state="empty"
      title="Nothing here yet"
      action={
        isAdmin ? (
          <Link to={syncPath} className={buttonClass({ look: 'primary' })}>
            Sync now
          </Link>
        ) : undefined
      }
    >
      {synced
        ? `The last sync of ${vendor} found no records for this list.`
        : `${vendor} has not been synced yet.`}
      {isAdmin ? '' : ' An administrator can start a sync.'}
    </StateDrawing>
  );
}
