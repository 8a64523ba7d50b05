/** All records that mention a CVE, a KB, a bulletin or a package, grouped by list. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import { listIdentifierPages } from '@patch/catalogue/schemas/shared-identifiers.ts';
import {
  identifierRecordsEndpoint,
  type SharingList,
} from '@patch/contract/records/shared-identifier-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useParams } from '@tanstack/react-router';
import { Input } from 'antd';
import { apiQuery } from '../../api/api-query.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { timeZone } from '../../api/session.ts';
import { FoldSection } from '../../detail/fold-section.tsx';
import { StillIndexed } from '../../detail/still-indexed.tsx';
import { isCve } from '../../values/is-cve.ts';
import { OutArrow } from '../../values/out-arrow.tsx';
import { ReaderZone } from '../../values/reader-zone.ts';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { formatCount, formatNumber } from '../../widgets/format-number.ts';
import { identifierPath, recordPath } from '../../widgets/list-paths.ts';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { CveOverview } from './cve-overview.tsx';
import { IdentifierLists } from './identifier-lists.tsx';
import styles from './identifier-screen.module.css';
import { NoRecords } from './no-records.tsx';

/** The fixes of a CVE name its records already: more of them are folded. */
const maxUnfolded = 5;

export function IdentifierScreen() {
  const { id = '' } = useParams({ strict: false });
  const result = useQuery(
    apiQuery(queryKeys.identifiers.records(id), identifierRecordsEndpoint, {
      params: { identifier: id },
    }),
  );
  const identifier = result.data?.identifier ?? id;
  const pages = listIdentifierPages(identifier);
  const lists = result.data?.lists;
  const only = findOnlyRecord(identifier, lists);
  if (only !== null) return <Navigate to={only} replace />;
  return (
    <ReaderZone value={timeZone()}>
      <div className={`${styles['page']} grid gap-5`}>
        <PageHeader
          title={
            <span className="inline-flex items-center gap-2">
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
          <p className={`${styles['pages']} flex flex-wrap gap-y-1 gap-x-4 text-dense`}>
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
          <div className="grid gap-2 min-w-0" aria-busy="true" aria-label="Loading the records">
            <Skeleton headed rows={4} />
            <Skeleton headed rows={4} />
          </div>
        ) : lists.length === 0 ? (
          <NoRecords identifier={identifier} withdrawn={result.data?.withdrawn ?? []} />
        ) : isCve(identifier) && countRecords(lists) > maxUnfolded ? (
          <FoldSection
            key={identifier}
            id="records"
            Heading="h2"
            title="Records"
            count={formatNumber(countRecords(lists))}
          >
            <IdentifierLists lists={lists} identifier={identifier} />
          </FoldSection>
        ) : (
          <IdentifierLists key={identifier} lists={lists} identifier={identifier} />
        )}
        <StillIndexed lists={result.data?.indexing} />
      </div>
    </ReaderZone>
  );
}

/** Returns the path of the only record of an identifier. The page of a CVE has more to say than its record. */
function findOnlyRecord(
  identifier: string,
  lists: readonly SharingList[] | undefined,
): string | null {
  const [only, ...others] = lists ?? [];
  const list = catalogueLists.find(({ key }) => key === only?.list);
  const [record] = only?.records ?? [];
  if (only === undefined || list === undefined || record === undefined) return null;
  if (others.length > 0 || only.totalCount > 1 || isCve(identifier)) return null;
  return recordPath(list, record.id);
}

const countRecords = (lists: readonly SharingList[]) =>
  lists.reduce((sum, { totalCount }) => sum + totalCount, 0);

function describeResult(lists: readonly SharingList[]): string {
  const total = countRecords(lists);
  if (total === 0) return '';
  return `${formatCount(total, ['record', 'records'])} in ${formatCount(lists.length, ['list', 'lists'])}`;
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
