/** The email configuration: the form, a test of its values, and the recent emails. */
import {
  emailConfigEndpoint,
  lastEmailTestEndpoint,
  mailDeliveriesEndpoint,
} from '@patch/contract/operations/mail-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { DeliveryList } from '../../resources/delivery-list.tsx';
import { Loaded } from '../../resources/loaded.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import styles from './email.module.css';
import { EmailForm } from './email-form.tsx';

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
      <Loaded query={saved} what="email configuration" rows={10}>
        {(data) => (
          <div className={styles['columns']}>
            <EmailForm {...data} />
            <RecentEmails />
          </div>
        )}
      </Loaded>
    </>
  );
}

function RecentEmails() {
  const mails = useQuery({
    ...apiQuery(queryKeys.email.deliveries(), mailDeliveriesEndpoint, {
      query: { offset: '0', size: '20' },
    }),
    refetchInterval: 15_000,
    refetchIntervalInBackground: false,
  });
  return (
    <section className={styles['deliveries']} aria-label="Recent emails">
      <h2 className={styles['title']}>Recent emails</h2>
      {mails.data === undefined ? (
        <p className={styles['quiet']}>{mails.error?.message ?? ''}</p>
      ) : mails.data.totalCount === 0 ? (
        <p className={styles['quiet']}>No emails yet.</p>
      ) : (
        <DeliveryList
          deliveries={mails.data.objList}
          title={({ kind, recipient }) => `${kind} to ${recipient}`}
        />
      )}
    </section>
  );
}
