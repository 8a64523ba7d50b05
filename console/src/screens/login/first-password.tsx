/** The sign-in step that replaces an administrator's temporary password. Nothing else opens before. */

import { signOut } from '../../api/session.ts';
import { ChangePasswordForm } from '../../forms/change-password-form.tsx';
import { Button } from '../../widgets/button.tsx';
import styles from './login-screen.module.css';

export function FirstPassword({ name }: { readonly name: string }) {
  return (
    <>
      <h1 className={styles['heading']}>Choose your password</h1>
      <p className={styles['under']}>
        You are signed in as {name} with a temporary password. Choose your own, then sign in with
        it.
      </p>
      <ChangePasswordForm
        submitLabel="Change password"
        cancel={<Button onClick={() => signOut('asked')}>Cancel</Button>}
      />
    </>
  );
}
