/** Single sign-on with an identity provider: its configuration, who may sign in, and a test. */

import { ssoConfigEndpoint } from '@patch/contract/sso-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { SsoForm } from './sso-form.tsx';

export function SsoScreen() {
  const saved = useQuery({
    queryKey: queryKeys.sso.configuration(),
    queryFn: ({ signal }) => callApi(ssoConfigEndpoint, { signal }),
    // A refetch must not replace the user's input.
    refetchOnWindowFocus: false,
  });
  const status =
    saved.data?.config === null
      ? 'Not configured yet'
      : saved.data?.config.enabled === false
        ? 'Off'
        : undefined;
  return (
    <>
      <PageHeader title="Single sign-on" beside={status} />
      {saved.data !== undefined ? (
        <SsoForm {...saved.data} />
      ) : saved.isPending ? (
        <Skeleton rows={10} />
      ) : (
        <LoadFailure
          what="single sign-on configuration"
          failure={saved.error}
          onReload={() => void saved.refetch()}
        />
      )}
    </>
  );
}
