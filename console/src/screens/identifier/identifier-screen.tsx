/** All records that mention a CVE, a KB, a bulletin or a package, grouped by list. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import { listIdentifierPages } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { exactKeyword } from '@patch/contract/filter/keyword-terms.ts';
import {
  identifierRecordsEndpoint,
  type SharingList,
} from '@patch/contract/shared-identifier-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Input } from 'antd';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { SharingListRecords } from '../../detail/sharing-list-records.tsx';
import { StillIndexed } from '../../detail/still-indexed.tsx';
import { isCve } from '../../values/is-cve.ts';
import { OutArrow } from '../../values/out-arrow.tsx';
import { ReaderZone } from '../../values/reader-zone.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { identifierPath, listPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { ModuleSelector } from '../../widgets/module-selector.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { VendorMark } from '../../widgets/vendor-mark.tsx';
import { CveOverview } from './cve-overview.tsx';
import styles from './identifier-screen.module.css';
import { NoRecords } from './no-records.tsx';

export function IdentifierScreen() {
  const { id = '' } = useParams({ strict: false });
  const result = useQuery({
    queryKey: queryKeys.identifiers.records(id),
    queryFn: ({ signal }) =>
      callApi(identifierRecordsEndpoint, { params: { identifier: id }, signal }),
  });
  const identifier = result.data?.identifier ?? id;
  const pages = listIdentifierPages(identifier);
  const lists = result.data?.lists;
  return (
    <ReaderZone value={timeZone()}>
      <div className={styles['page']}>
        <PageHeader
          title={
            <span className={styles['title']}>
              <span className="mono">{identifier}</span>{' '}
              <CopyButton text={identifier} what="identifier" />
            </span>
          }
          beside={
            <span aria-live="polite">{lists === undefined ? '' : describeResult(lists)}</span>
          }
          actions={<LookUp key={id} />}
        />
        {pages.length > 0 && (
          <p className={styles['pages']}>
            {pages.map(({ label, address }) => (
              <a key={label} href={address} target="_blank" rel="noopener noreferrer">
                {label} <OutArrow />
              </a>
            ))}
          </p>
        )}
        {isCve(identifier) && <CveOverview cve={identifier} />}
        {result.error !== null ? (
          <LoadFailure
            what="records"
            failure={result.error}
            onReload={() => void result.refetch()}
          />
        ) : lists === undefined ? (
          <div className={styles['list']} aria-busy="true" aria-label="Loading the records">
            <Skeleton headed rows={4} />
            <Skeleton headed rows={4} />
          </div>
        ) : lists.length === 0 ? (
          <NoRecords identifier={identifier} />
        ) : (
          <Lists key={identifier} lists={lists} identifier={identifier} />
        )}
        <StillIndexed lists={result.data?.indexing} />
      </div>
    </ReaderZone>
  );
}

function describeResult(lists: readonly SharingList[]): string {
  const total = lists.reduce((sum, { totalCount }) => sum + totalCount, 0);
  if (total === 0) return '';
  return `${formatCount(total, 'record', 'records')} in ${formatCount(lists.length, 'list', 'lists')}`;
}

const formatCount = (count: number, singular: string, plural: string) =>
  `${formatNumber(count)} ${count === 1 ? singular : plural}`;

/** Lets the user show a single list. */
function Lists({
  lists,
  identifier,
}: {
  readonly lists: readonly SharingList[];
  readonly identifier: string;
}) {
  const [chosenKey, setChosen] = useState<string | null>(null);
  const shown = lists.filter(({ list }) => list === (chosenKey ?? list));
  const modules = lists.map(({ list }) => ({
    key: list,
    label: catalogueLists.find(({ key }) => key === list)?.label ?? list,
  }));
  return (
    <>
      {lists.length > 1 && (
        <div className={styles['choice']}>
          <ModuleSelector
            label="List"
            modules={modules}
            all="All lists"
            value={chosenKey}
            onChange={setChosen}
          />
        </div>
      )}
      {shown.map((list) => (
        <ListRecords key={list.list} result={list} identifier={identifier} />
      ))}
    </>
  );
}

function ListRecords({
  result,
  identifier,
}: {
  readonly result: SharingList;
  readonly identifier: string;
}) {
  const list = catalogueLists.find(({ key }) => key === result.list);
  if (list === undefined) return null;
  const { records, totalCount } = result;
  return (
    <section className={styles['list']} aria-labelledby={`of-${list.key}`}>
      <div className={styles['head']}>
        <VendorMark of={list.key} />
        <h2 id={`of-${list.key}`} className={styles['label']}>
          {list.label}
        </h2>
        <Link to={listPath(list)} search={{ keyword: exactKeyword(identifier) }}>
          {formatCount(totalCount, 'record', 'records')}
        </Link>
        {totalCount > records.length && (
          <span className={styles['quiet']}>first {records.length} shown</span>
        )}
      </div>
      <SharingListRecords list={list} records={records} showShares={false} />
    </section>
  );
}

/** Looks up another identifier without opening a list. */
function LookUp() {
  const navigate = useNavigate();
  return (
    <Input.Search
      className={styles['lookUp'] ?? ''}
      placeholder="CVE, KB, bulletin, package"
      aria-label="Look up another identifier"
      maxLength={255}
      onSearch={(typed) => {
        if (typed.trim() !== '') void navigate({ to: identifierPath(typed.trim()) });
      }}
    />
  );
}
