/** Frame of public pages: product name, and a sign-in link for visitors. */

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAbout } from '../api/about.ts';
import { useSession } from '../api/session.ts';
import { PatchLogo } from '../theme/patch-logo.tsx';
import { buttonClass } from './button.tsx';
import styles from './public-frame.module.css';

export function PublicFrame({ children }: { readonly children: ReactNode }) {
  const { token } = useSession();
  const { name } = useAbout();
  return (
    <div className={styles['frame']}>
      <header className={styles['header']}>
        <Link to="/login" className={styles['name']}>
          <PatchLogo size={28} />
          {name}
        </Link>
        {token === null ? (
          <Link to="/login" search={{ portalLogin: true }} className={buttonClass({})}>
            Login
          </Link>
        ) : null}
      </header>
      <main className={styles['main']}>{children}</main>
    </div>
  );
}
