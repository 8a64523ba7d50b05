/** Public pages besides sign-in: registration, activation of a client, and pending approval. */

import { Link, useParams } from '@tanstack/react-router';
import { buttonClass } from '../widgets/button.tsx';
import { CopyButton } from '../widgets/copy-button.tsx';
import { PublicFrame } from '../widgets/public-frame.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import styles from './public-pages.module.css';

const toLogin = (
  <Link to="/login" className={buttonClass({ look: 'primary' })}>
    Go to login
  </Link>
);

export function RegisterPage() {
  return (
    <PublicFrame>
      <StateDrawing
        isPage
        state="forbidden"
        title="Accounts are created by an administrator"
        action={toLogin}
      >
        Ask an administrator of this service for one; then sign in with the name or the email
        address that you were given.
      </StateDrawing>
    </PublicFrame>
  );
}

/** The target of the link in a licence. A repository client is activated on its own machine. */
export function ActivatePage() {
  const { _splat: code = '' } = useParams({ strict: false });
  return (
    <PublicFrame>
      <StateDrawing isPage state="empty" title="Activate a repository client" action={toLogin}>
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
      </StateDrawing>
    </PublicFrame>
  );
}

export function ApprovalPage() {
  return (
    <PublicFrame>
      <StateDrawing isPage state="empty" title="Waiting for approval" action={toLogin}>
        You have signed in. An administrator must approve your account before you can use it. Sign
        in again after the approval.
      </StateDrawing>
    </PublicFrame>
  );
}
