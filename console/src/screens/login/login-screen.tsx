/** Signing in: what the product is on the left, the form on the right; who must change the password first does it here. */
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { PatchLogo } from '../../theme/patch-logo.tsx';
import { CatalogueWall } from './catalogue-wall.tsx';
import { FirstPassword } from './first-password.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import styles from './login-screen.module.css';
import { SignInForm } from './sign-in-form.tsx';

export function LoginScreen() {
  const { token, user } = useSession();
  const [forgotten, setForgotten] = useState(false);
  const ended = useLocation({ select: ({ state }) => state.signedOut });
  const mustChange = token !== null && user?.mustChangePassword === true;
  return (
    <div className={styles['screen']}>
      <aside className={styles['identity']}>
        <div className={styles['brand']}>
          <PatchLogo size={36} />
          Patch Repository
        </div>
        <CatalogueWall />
        <div className={styles['claim']}>
          <p>Every vendor's patches, in one catalogue.</p>
          <p>Collected, verified and searched in milliseconds, on your own network.</p>
        </div>
      </aside>
      <main className={styles['form']}>
        <div className={styles['column']}>
          <div className={styles['smallBrand']}>
            <PatchLogo size={32} />
            Patch Repository
          </div>
          {mustChange ? (
            <FirstPassword name={user.name} />
          ) : forgotten ? (
            <ForgottenPassword onBack={() => setForgotten(false)} />
          ) : (
            <SignInForm ended={ended} onForgotten={() => setForgotten(true)} />
          )}
        </div>
      </main>
    </div>
  );
}
