/** Page of a single record. */
import { titleField } from '@patch/catalogue/definition/record-name.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { about } from '../api/about.ts';
import { timeZone } from '../api/session.ts';
import { ReaderZone } from '../values/reader-zone.ts';
import { listPath } from '../widgets/list-paths.ts';
import { headingId } from '../widgets/page-header.tsx';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import { RecordCard } from './record-card.tsx';
import { RecordContent, RecordFailure, RecordSkeleton } from './record-content.tsx';
import { readIdentity } from './record-identity.tsx';
import styles from './record-page.module.css';
import { useRecord } from './use-record.ts';

export function RecordPage({ list, id }: { readonly list: CatalogueList; readonly id: number }) {
  const { data: record, error, refetch } = useRecord(list, id);
  useEffect(() => {
    // Until then, the title is that of the route, which knows only the number.
    if (record !== undefined) document.title = `${nameRecord(list, record)} · ${about().name}`;
  }, [list, record]);
  return (
    <ReaderZone value={timeZone()}>
      <div className={`${styles['page']} grid gap-3`}>
        <nav aria-label="Breadcrumb" className={styles['crumbs']}>
          <ol className="flex flex-wrap gap-2 plain-list text-quiet text-dense">
            <li className="inline-flex items-center gap-2 break-anywhere">
              <VendorMark of={list.key} size={16} /> <Link to={listPath(list)}>{list.label}</Link>
            </li>
            <li className="inline-flex items-center gap-2 break-anywhere" aria-current="page">
              {record === undefined ? `Record ${id}` : readIdentity(list, record).words}
            </li>
          </ol>
        </nav>
        <div className={`${styles['record']} grid gap-6 min-w-0 border rounded bg-surface`}>
          {error !== null ? (
            <RecordFailure list={list} failure={error} onReload={() => void refetch()} />
          ) : record === undefined ? (
            <RecordSkeleton />
          ) : (
            <>
              <RecordCard list={list} record={record} heading={{ Tag: 'h1', id: headingId }} />
              <RecordContent list={list} record={record} tableHeading="h2" />
            </>
          )}
        </div>
      </div>
    </ReaderZone>
  );
}

/** Returns 'KB5094127: 2026-05 Security Update for Windows 10', or only what the record has of both. */
function nameRecord(list: CatalogueList, record: WireDetail): string {
  const title = titleField(list, record);
  const { words } = readIdentity(list, record);
  return title === undefined ? words : `${words}: ${String(record[title])}`;
}
