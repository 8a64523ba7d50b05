/** The link to the identity provider, if one is configured. */

import { ssoStatusEndpoint, startSsoEndpoint } from '@patch/contract/sso-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { buttonClass } from '../../widgets/button.tsx';
import styles from './login-screen.module.css';

export function SsoButton({ redirectFrom }: { readonly redirectFrom: string | undefined }) {
  // The button does not appear without a reply: users with a password can still sign in.
  const { data } = useQuery({
    queryKey: queryKeys.sso.status(),
    queryFn: ({ signal }) => callApi(ssoStatusEndpoint, { signal }),
    retry: false,
  });
  if (data?.enabled !== true) return null;
  const query =
    redirectFrom === undefined ? '' : `?${new URLSearchParams({ redirectFrom }).toString()}`;
  return (
    <>
      <p className={styles['or']}>or</p>
      <a className={buttonClass({ block: true })} href={`/api${startSsoEndpoint.path}${query}`}>
        Sign in with {data.label}
      </a>
    </>
  );
}
