/** How mail is sent: the form, a test of what stands in it, and the recent emails. */

import { emailConfigEndpoint, lastEmailTestEndpoint } from '@patch/contract/mail-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import styles from './email-configuration-screen.module.css';
import { EmailForm } from './email-form.tsx';
import { MailDeliveries } from './mail-deliveries.tsx';

export function EmailConfigurationScreen() {
  const kept = useQuery({
    queryKey: queryKeys.email.configuration(),
    queryFn: async ({ signal }) => {
      const [config, lastTest] = await Promise.all([
        callApi(emailConfigEndpoint, { signal }),
        callApi(lastEmailTestEndpoint, { signal }),
      ]);
      return { config, lastTest };
    },
    // What is being typed must not be replaced by what was kept.
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <PageHeader
        title="Email configuration"
        beside={kept.data?.config === null ? 'Not configured yet: no mail is sent' : undefined}
      />
      {kept.data !== undefined ? (
        <div className={styles['columns']}>
          <EmailForm config={kept.data.config} lastTest={kept.data.lastTest} />
          <MailDeliveries />
        </div>
      ) : kept.isPending ? (
        <Skeleton rows={10} />
      ) : (
        <LoadFailure
          what="email configuration"
          failure={kept.error}
          onReload={() => void kept.refetch()}
        />
      )}
    </>
  );
}
