/** The email configuration: the form, a test of its values, and the recent emails. */

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
  const saved = useQuery({
    queryKey: queryKeys.email.configuration(),
    queryFn: async ({ signal }) => {
      const [config, lastTest] = await Promise.all([
        callApi(emailConfigEndpoint, { signal }),
        callApi(lastEmailTestEndpoint, { signal }),
      ]);
      return { config, lastTest };
    },
    // A refetch must not replace the user's input.
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <PageHeader
        title="Email configuration"
        beside={saved.data?.config === null ? 'Not configured yet: no email is sent' : undefined}
      />
      {saved.data !== undefined ? (
        <div className={styles['columns']}>
          <EmailForm config={saved.data.config} lastTest={saved.data.lastTest} />
          <MailDeliveries />
        </div>
      ) : saved.isPending ? (
        <Skeleton rows={10} />
      ) : (
        <LoadFailure
          what="email configuration"
          failure={saved.error}
          onReload={() => void saved.refetch()}
        />
      )}
    </>
  );
}
