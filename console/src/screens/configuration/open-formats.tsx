/** Lists the addresses at which programs of others read the catalogue. */

import {
  csafAdvisoryEndpoint,
  csafFileEndpoint,
  csafIndexFileEndpoint,
} from '@patch/contract/csaf-endpoints.ts';
import {
  osvBatchEndpoint,
  osvQueryEndpoint,
  osvRecordEndpoint,
} from '@patch/contract/osv-endpoints.ts';
import { osvFileEndpoint, osvIndexFileEndpoint } from '@patch/contract/osv-file-endpoints.ts';
import { updateinfoFileEndpoint } from '@patch/contract/updateinfo-endpoints.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import styles from './open-formats.module.css';

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

/** @param baseUrl - The configured address of the console; null: the one that the browser has. */
export function OpenFormats({ baseUrl }: { readonly baseUrl: string | null }) {
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
