/** The sign-in page: the product on the left, the form on the right. Required password changes and second factors are set up here. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { ssoFailureText } from '@patch/contract/accounts/sso-endpoints.ts';
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAbout } from '../../api/about.ts';
import { mustCompleteSignIn, useSession } from '../../api/session.ts';
import { PatchLogo } from '../../theme/patch-logo.tsx';
import { VendorMark } from '../../widgets/vendor-mark.tsx';
import { FirstPassword, FirstSecondFactor, ForgottenPassword } from './lazy-steps.tsx';
import styles from './login-screen.module.css';
import { SignInForm } from './sign-in-form.tsx';
import { SsoReturn } from './sso-return.tsx';

export function LoginScreen() {
  const { token, user } = useSession();
  const { name } = useAbout();
  const [forgotten, setForgotten] = useState(false);
  const ended = useLocation({ select: ({ state }) => state.signedOut });
  const { sso, ssoError: errorCode, redirectFrom } = useSearch({ from: '/login' });
  const [ticket, setTicket] = useState(sso);
  const [ssoError, setSsoError] = useState(ssoFailureText(errorCode));
  const navigate = useNavigate();
  useEffect(() => {
    // Removes the ticket and the errors of the sign-in from the address.
    if (sso !== undefined || errorCode !== undefined)
      void navigate({ to: '/login', search: { redirectFrom }, replace: true });
  }, [sso, errorCode, redirectFrom, navigate]);
  const router = useRouter();
  const isSignedIn = token !== null && user !== null && !mustCompleteSignIn(user);
  useEffect(() => {
    // The user may have signed in here or in another tab. The guard of the page redirects.
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
              onFailed={(message) => {
                setSsoError(message);
                setTicket(undefined);
              }}
            />
          ) : (
            <SignInForm ssoError={ssoError} ended={ended} onForgotten={() => setForgotten(true)} />
          )}
        </div>
      </main>
    </div>
  );
}

/** A wall of the lists' marks. */
function CatalogueWall() {
  return (
    <div className={styles['wall']} aria-hidden="true">
      {catalogueLists.map(({ key }) => (
        <span key={key} className={styles['patch']}>
          <VendorMark of={key} size={40} />
        </span>
      ))}
    </div>
  );
}
