/** Public pages besides sign-in, and pages for failures. */
import {
  type ErrorComponentProps,
  getRouteApi,
  Link,
  useParams,
  useSearch,
} from '@tanstack/react-router';
import { ApiCallError } from '../api/api-call-error.ts';
import { isChunkFailure } from '../theme/chunk-in-time.ts';
import { Button, buttonClass } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { HomeLink } from '../widgets/load-failure.tsx';
import { PublicFrame } from '../widgets/public-frame.tsx';
import { StateDrawing, type StateDrawingProps } from '../widgets/state-drawing.tsx';
import { PageTimedOut } from './lazy-page.tsx';
import styles from './outcome-pages.module.css';

interface PublicPageProps extends Pick<StateDrawingProps, 'state' | 'title' | 'children'> {
  /** Words of the link to the login page. */
  readonly next?: string;
}

function PublicPage({ next = 'Go to login', ...drawing }: PublicPageProps) {
  const link = (
    <Link to="/login" className={buttonClass({ look: 'primary' })}>
      {next}
    </Link>
  );
  return (
    <PublicFrame>
      <StateDrawing isPage {...drawing} action={link} />
    </PublicFrame>
  );
}

/** Limits the name, because an address can contain any text. */
const maxNameLength = 100;

export function NotFoundPage() {
  const { module } = useSearch({ strict: false });
  return (
    <PublicPage state="not-found" title="oops" next="Go to home">
      <strong>404.</strong> Looks like you are lost
      {module === undefined ? null : (
        <>
          <br />
          Missing module: module with name {module.slice(0, maxNameLength)} is not found
        </>
      )}
    </PublicPage>
  );
}

const internalError =
  'The server encountered an internal error or misconfiguration and was unable to complete your request.';

const serverErrorRoute = getRouteApi('/500');

export function ServerErrorPage() {
  const { message } = serverErrorRoute.useSearch();
  return (
    <PublicPage state="failure" title="Oops!" next="Go To Home">
      <strong>500.</strong> {message ?? internalError}
    </PublicPage>
  );
}

export function RegisterPage() {
  return (
    <PublicPage state="forbidden" title="Accounts are created by an administrator">
      Ask an administrator of this service for one; then sign in with the name or the email address
      that you were given.
    </PublicPage>
  );
}

/** The target of the link in a licence. A repository client is activated on its own machine. */
export function ActivatePage() {
  const { _splat: code = '' } = useParams({ strict: false });
  return (
    <PublicPage state="empty" title="Activate a repository client">
      {code === '' ? (
        'A client is activated on its own machine, with the activation code of its licence.'
      ) : (
        <>
          Enter this activation code on the client’s machine:{' '}
          <span className={styles['unbroken']}>
            <code>{code}</code> <CopyButton text={code} what="activation code" />
          </span>
        </>
      )}
    </PublicPage>
  );
}

export function ApprovalPage() {
  return (
    <PublicPage state="empty" title="Waiting for approval">
      You have signed in. An administrator must approve your account before you can use it. Sign in
      again after the approval.
    </PublicPage>
  );
}

const reloadButton = (
  <Button look="primary" onClick={() => location.reload()}>
    Reload
  </Button>
);

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
