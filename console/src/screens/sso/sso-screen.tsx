/** Signing in with an identity provider: how it is reached, who may come in by it, and a test of what stands in the form. */

import { ssoConfigEndpoint } from '@patch/contract/sso-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { SsoForm } from './sso-form.tsx';

export function SsoScreen() {
  const kept = useQuery({
    queryKey: queryKeys.sso.configuration(),
    queryFn: ({ signal }) => callApi(ssoConfigEndpoint, { signal }),
    // What is being typed must not be replaced by what was kept.
    refetchOnWindowFocus: false,
  });
  const standing =
    kept.data?.config === null
      ? 'Not configured yet'
      : kept.data?.config.enabled === false
        ? 'Off'
        : undefined;
  return (
    <>
      <PageHeader title="Single sign-on" beside={standing} />
      {kept.data !== undefined ? (
        <SsoForm {...kept.data} />
      ) : kept.isPending ? (
        <Skeleton rows={10} />
      ) : (
        <LoadFailure
          what="single sign-on configuration"
          failure={kept.error}
          onReload={() => void kept.refetch()}
        />
      )}
    </>
  );
}
