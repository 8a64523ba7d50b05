/** Signing in: what the product is on the left, the form on the right; who must change the password or switch a second factor on first does it here. */
import { ssoFailureText } from '@patch/contract/sso-endpoints.ts';
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAbout } from '../../api/about.ts';
import { isHeldAtLogin, useSession } from '../../api/session.ts';
import { PatchLogo } from '../../theme/patch-logo.tsx';
import { CatalogueWall } from './catalogue-wall.tsx';
import { FirstPassword, FirstSecondFactor, ForgottenPassword } from './lazy-steps.tsx';
import styles from './login-screen.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SsoReturn } from './sso-return.tsx';

export function LoginScreen() {
  const { token, user } = useSession();
  const { name } = useAbout();
  const [forgotten, setForgotten] = useState(false);
  const ended = useLocation({ select: ({ state }) => state.signedOut });
  const { sso, ssoError, redirectFrom } = useSearch({ from: '/login' });
  const [ticket, setTicket] = useState(sso);
  const [failed, setFailed] = useState(ssoFailureText(ssoError));
  const navigate = useNavigate();
  useEffect(() => {
    // Nothing that was good for signing in stays in the address.
    if (sso !== undefined || ssoError !== undefined)
      void navigate({ to: '/login', search: { redirectFrom }, replace: true });
  }, [sso, ssoError, redirectFrom, navigate]);
  const router = useRouter();
  const isSignedIn = token !== null && user !== null && !isHeldAtLogin(user);
  useEffect(() => {
    // Here or in another tab. The page's own guard knows the way back.
    if (isSignedIn) void router.invalidate();
  }, [isSignedIn, router]);
  const mustChange = token !== null && user?.mustChangePassword === true;
  const mustSetUp = token !== null && user?.mustSetUpSecondFactor === true;
  return (
    <div className={styles['screen']}>
      <aside className={styles['identity']}>
        <div className={styles['brand']}>
          <PatchLogo size={36} />
          {name}
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
            {name}
          </div>
          {mustChange ? (
            <FirstPassword name={user.name} />
          ) : mustSetUp ? (
            <FirstSecondFactor />
          ) : forgotten ? (
            <ForgottenPassword onBack={() => setForgotten(false)} />
          ) : ticket !== undefined ? (
            <SsoReturn
              ticket={ticket}
              onFailed={(words) => {
                setFailed(words);
                setTicket(undefined);
              }}
            />
          ) : (
            <SignInForm failed={failed} ended={ended} onForgotten={() => setForgotten(true)} />
          )}
        </div>
      </main>
    </div>
  );
}
