/** Says what could not be loaded and why, with a button to reload; for a 403 with a link to the home page. */
import { Link } from '@tanstack/react-router';
import { ApiCallError } from '../api/api-call-error.ts';
import { Button, buttonClass } from './button.tsx';
import { homePath } from './list-paths.ts';
import { StateDrawing } from './state-drawing.tsx';

interface LoadFailureProps {
  /** Noun without article: 'list', 'sources'. */
  readonly what: string;
  readonly failure: Error;
  readonly onReload: () => void;
}

export function LoadFailure({ what, failure, onReload }: LoadFailureProps) {
  const {
    status = 0,
    userMessage = failure.message,
    requestId = null,
  } = failure instanceof ApiCallError ? failure : {};
  const forbidden = status === 403;
  return (
    <StateDrawing
      state={forbidden ? 'forbidden' : 'failure'}
      title={
        forbidden
          ? `You don’t have access to ${what.charAt(0).toUpperCase()}${what.slice(1)}`
          : `The ${what} could not be loaded`
      }
      requestId={requestId}
      action={
        forbidden ? (
          <HomeLink primary />
        ) : (
          <Button look="primary" onClick={onReload}>
            Reload
          </Button>
        )
      }
    >
      {userMessage}
    </StateDrawing>
  );
}

/** Link to the home page, for pages that the user may not see. */
export function HomeLink({ primary = false }: { readonly primary?: boolean }) {
  return (
    <Link to={homePath} search={{}} className={buttonClass(primary ? { look: 'primary' } : {})}>
      Go to home
    </Link>
  );
}
