/** The settings of the service: name and address, sessions, passwords, vendors, retention, search memory, channels and open formats. */

import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { type SettingsReply, settingsEndpoint } from '@patch/contract/settings-endpoints.ts';
import { passwordPolicyEndpoint } from '@patch/contract/sign-in-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { emailPath, syncPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { Channels } from './channels.tsx';
import styles from './configuration-screen.module.css';
import { OpenFormats } from './open-formats.tsx';
import { PolicyForm } from './policy-form.tsx';
import { SearchMemory } from './search-memory.tsx';
import { GeneralForm, RetentionForm, SessionForm, VendorForm } from './settings-forms.tsx';

export function ConfigurationScreen() {
  const query = useQuery({
    queryKey: queryKeys.settings.all(),
    queryFn: async ({ signal }) => {
      const [settings, policy] = await Promise.all([
        callApi(settingsEndpoint, { signal }),
        callApi(passwordPolicyEndpoint, { signal }),
      ]);
      return { ...settings, policy };
    },
    // A refetch must not replace the user's input.
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <PageHeader title="Configuration" />
      {query.data !== undefined ? (
        <Sections {...query.data} />
      ) : query.isPending ? (
        <Skeleton rows={12} />
      ) : (
        <LoadFailure
          what="configuration"
          failure={query.error}
          onReload={() => void query.refetch()}
        />
      )}
    </>
  );
}

function Sections({ policy, ...reply }: SettingsReply & { readonly policy: PasswordPolicy }) {
  return (
    <div className={styles['sections']}>
      <Section
        title="General"
        words="The name and address of this installation, and the time zone of users who have not set their own."
      >
        <GeneralForm {...reply} />
      </Section>
      <Section
        title="Sessions"
        words="When users have to sign in again. Applies from the next sign-in."
      >
        <SessionForm {...reply} />
      </Section>
      <Section
        title="Passwords"
        words="What a new password must have. Existing passwords remain valid."
      >
        <PolicyForm policy={policy} />
      </Section>
      <Section
        title="Vendors"
        words={
          <>
            Where catalogues are fetched from. Parts and schedules are set for each source under{' '}
            <Link to={syncPath}>Sync</Link>.
          </>
        }
      >
        <VendorForm {...reply} />
      </Section>
      <Section
        title="Retention"
        words={
          <>
            Older items are removed automatically. The mail server is set under{' '}
            <Link to={emailPath}>Email configuration</Link>.
          </>
        }
      >
        <RetentionForm {...reply} />
      </Section>
      <Section
        title="Search memory"
        words="Searches are answered from memory where the list fits, otherwise from PostgreSQL. SEARCH_MEMORY_MB sets the limit."
      >
        <SearchMemory />
      </Section>
      <Section
        title="Channels"
        words="Where events and alerts are sent besides email. A receiver on this machine or in a private network needs CHANNEL_TARGETS in the environment of the service."
      >
        <Channels />
      </Section>
      <Section
        title="Open formats"
        words="Addresses for scanners and other programs. They send an API key with the scope formats, which each user makes under Account."
      >
        <OpenFormats baseUrl={reply.settings.baseUrl} />
      </Section>
    </div>
  );
}

function Section({
  title,
  words,
  children,
}: {
  readonly title: string;
  readonly words: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles['section']} aria-label={title}>
      <div>
        <h2 className={styles['title']}>{title}</h2>
        <p className={styles['words']}>{words}</p>
      </div>
      {children}
    </section>
  );
}
