/** The settings of the service: name and address, sessions, passwords, vendors, retention, search memory, channels and open formats. */

import { passwordPolicyEndpoint } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import {
  csafAdvisoryEndpoint,
  csafFileEndpoint,
  csafIndexFileEndpoint,
} from '@patch/contract/formats/csaf-endpoints.ts';
import {
  osvBatchEndpoint,
  osvQueryEndpoint,
  osvRecordEndpoint,
} from '@patch/contract/formats/osv-endpoints.ts';
import {
  osvFileEndpoint,
  osvIndexFileEndpoint,
} from '@patch/contract/formats/osv-file-endpoints.ts';
import { updateinfoFileEndpoint } from '@patch/contract/formats/updateinfo-endpoints.ts';
import {
  type SettingsReply,
  settingsEndpoint,
} from '@patch/contract/operations/settings-endpoints.ts';
import { searchMemoryEndpoint } from '@patch/contract/records/search-memory-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/api-query.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { Loaded } from '../../resources/loaded.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { emailPath, syncPath } from '../../widgets/list-paths.ts';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Channels } from './channels.tsx';
import styles from './configuration-screen.module.css';
import {
  GeneralForm,
  PolicyForm,
  RetentionForm,
  SessionForm,
  VendorForm,
} from './settings-forms.tsx';

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
      <Loaded query={query} what="configuration" rows={12}>
        {(data) => (
          <div className={styles['sections']}>
            {listSections(data).map(([title, words, content]) => (
              <section key={title} className={styles['section']} aria-label={title}>
                <div>
                  <h2 className={styles['title']}>{title}</h2>
                  <p className={styles['words']}>{words}</p>
                </div>
                {content}
              </section>
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}

type Section = readonly [title: string, words: ReactNode, content: ReactNode];

const listSections = ({
  policy,
  ...reply
}: SettingsReply & { readonly policy: PasswordPolicy }): readonly Section[] => [
  [
    'General',
    'The name and address of this installation, and the time zone of users who have not set their own.',
    <GeneralForm key="form" {...reply} />,
  ],
  [
    'Sessions',
    'When users have to sign in again. Applies from the next sign-in.',
    <SessionForm key="form" {...reply} />,
  ],
  [
    'Passwords',
    'What a new password must have. Existing passwords remain valid.',
    <PolicyForm key="form" policy={policy} />,
  ],
  [
    'Vendors',
    <>
      Where catalogues are fetched from. Parts and schedules are set for each source under{' '}
      <Link to={syncPath}>Sync</Link>.
    </>,
    <VendorForm key="form" {...reply} />,
  ],
  [
    'Retention',
    <>
      Older items are removed automatically. The mail server is set under{' '}
      <Link to={emailPath}>Email configuration</Link>.
    </>,
    <RetentionForm key="form" {...reply} />,
  ],
  [
    'Search memory',
    'Searches are answered from memory where the list fits, otherwise from PostgreSQL. SEARCH_MEMORY_MB sets the limit.',
    <SearchMemory key="memory" />,
  ],
  [
    'Channels',
    'Where events and alerts are sent besides email. A receiver on this machine or in a private network needs CHANNEL_TARGETS in the environment of the service.',
    <Channels key="channels" />,
  ],
  [
    'Open formats',
    'Addresses for scanners and other programs. They send an API key with the scope formats, which each user makes under Account.',
    <OpenFormats key="formats" baseUrl={reply.settings.baseUrl} />,
  ],
];

/** The lists in memory for searches, and their size. */
function SearchMemory() {
  const memory = useQuery(apiQuery(queryKeys.searchMemory.all(), searchMemoryEndpoint));
  return (
    <Loaded query={memory} what="search memory" rows={3}>
      {({ lists, maxBytes }) => (
        <div>
          <p className={styles['sum']}>
            {megabytes(lists.reduce((sum, { bytes }) => sum + bytes, 0))} of {megabytes(maxBytes)}{' '}
            used
          </p>
          {lists.length === 0 ? (
            <p className={styles['quiet']}>
              No list is in memory. Each is read when somebody searches it.
            </p>
          ) : (
            <ul className={styles['lists']}>
              {lists.map(({ list, label, bytes, records, complete }) => (
                <li key={list}>
                  <span>{label}</span>
                  <span className={styles['figures']}>
                    {complete ? `${records.toLocaleString('en')} records` : 'being read'}
                  </span>
                  <span className={styles['figures']}>{megabytes(bytes)}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Loaded>
  );
}

const megabytes = (bytes: number) =>
  `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;

const calls = [
  { endpoint: osvQueryEndpoint, purpose: 'OSV: what affects a package' },
  { endpoint: osvBatchEndpoint, purpose: 'OSV: what affects up to 1,000 packages' },
  { endpoint: osvRecordEndpoint, purpose: 'OSV: one record' },
  { endpoint: osvIndexFileEndpoint, purpose: 'OSV: ecosystems.txt and modified_id.csv' },
  {
    endpoint: osvFileEndpoint,
    purpose: 'OSV: all.zip of an ecosystem, for scanners that work offline',
  },
  {
    endpoint: csafIndexFileEndpoint,
    purpose: 'CSAF: provider-metadata.json, openpgp-key.asc, feed.json and changes.csv',
  },
  {
    endpoint: csafFileEndpoint,
    purpose: 'CSAF: a document of an advisory or VEX, its SHA-256, SHA-512 and OpenPGP signature',
  },
  { endpoint: csafAdvisoryEndpoint, purpose: 'CSAF: the document of an advisory, or VEX of a CVE' },
  {
    endpoint: {
      ...updateinfoFileEndpoint,
      // Tools are configured with the address of the repository, and find its files themselves.
      path: updateinfoFileEndpoint.path.replace(/repodata\/.*/, ''),
    },
    purpose: 'updateinfo: the errata of a release as baseurl of dnf, yum and zypper',
  },
] as const;

/**
 * The addresses at which programs of others read the catalogue.
 * @param baseUrl The configured address of the console; null: the one that the browser has.
 */
function OpenFormats({ baseUrl }: { readonly baseUrl: string | null }) {
  const base = (baseUrl ?? window.location.origin).replace(/\/$/, '');
  return (
    <ul className={styles['addresses']}>
      {calls.map(({ endpoint: { method, path }, purpose }) => (
        <li key={path}>
          <span className={styles['purpose']}>{purpose}</span>
          <span className={styles['address']}>
            <span className={styles['method']}>{method}</span>
            <code>{`${base}/api${path}`}</code>
            <CopyButton text={`${base}/api${path}`} what={`address of ${purpose}`} />
          </span>
        </li>
      ))}
    </ul>
  );
}
