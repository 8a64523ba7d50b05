/** Placeholders instead of rows: the reason and the next step. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { useMay } from '../api/session.ts';
import { isUnderWay, useSources } from '../api/use-sources.ts';
import { useStartSync } from '../runs/use-start-sync.ts';
import { limitChunkLoading } from '../theme/chunk-in-time.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { checkMachinePath, dashboardPath, syncPath } from '../widgets/list-paths.ts';
import { HomeLink, LoadFailure } from '../widgets/load-failure.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import type { RequestedSearch } from './criteria/typed-search.ts';

const RelaxedSearches = lazy(async () => ({
  default: (await limitChunkLoading(import('./search-bar/relaxed-searches.tsx'))).RelaxedSearches,
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

interface FirstStep {
  readonly words: string;
  /** The button and its page, which administrators may open. */
  readonly action: string;
  readonly path: string;
  /** True where the heading has the button that begins. */
  readonly isSecondary?: true;
}

/** How to begin with lists that no source fills. */
const firstSteps: Readonly<Record<string, FirstStep>> = {
  machines: {
    words:
      'Machines appear here when a licensed client reports them. A client may report when its registration allows it. A single machine can be checked without a client.',
    action: 'Check a machine',
    path: checkMachinePath,
  },
  floto_user: {
    words:
      'A licensed client copies the catalogue into another network. “Register a client” above creates the first one and its activation code.',
    action: 'See what clients would copy',
    path: dashboardPath,
    isSecondary: true,
  },
};
const syncFirst: FirstStep = {
  words: 'It shows the records of every source, and none has been synced yet.',
  action: 'Begin with a sync',
  path: dashboardPath,
};

function Beginning({
  list,
  isAdmin,
}: {
  readonly list: ListDefinition;
  readonly isAdmin: boolean;
}) {
  const { words, action, path, isSecondary } = firstSteps[list.key] ?? syncFirst;
  return (
    <StateDrawing
      state="empty"
      title="Nothing here yet"
      action={
        isAdmin ? (
          <Link to={path} className={buttonClass(isSecondary ? {} : { look: 'primary' })}>
            {action}
          </Link>
        ) : undefined
      }
    >
      {words}
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
  const isAdmin = useMay('admin');
  const { start } = useStartSync();
  const sources = useSources().data ?? [];
  if (list.source === null) return <Beginning list={list} isAdmin={isAdmin} />;
  const key = list.source as SourceKey;
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
  const isFirst = sources.every(({ lastSuccessAt }) => lastSuccessAt === null);
  return (
    <StateDrawing
      state="empty"
      title="Nothing here yet"
      action={
        isAdmin && isFirst ? (
          <>
            <Link to={dashboardPath} className={buttonClass({ look: 'primary' })}>
              Begin with the first steps
            </Link>
            <Button loading={start.isPending} onClick={() => start.mutate(key)}>
              Sync {vendor} alone
            </Button>
          </>
        ) : isAdmin ? (
          <Button look="primary" loading={start.isPending} onClick={() => start.mutate(key)}>
            Sync now
          </Button>
        ) : undefined
      }
    >
      {synced
        ? `The last sync of ${vendor} found no records for this list.`
        : isFirst
          ? 'No source has been synced yet.'
          : `${vendor} has not been synced yet.`}
      {isAdmin ? '' : ' An administrator can start a sync.'}
    </StateDrawing>
  );
}
