/** The audit log: who did what, when and from where, with the values before and after. It is read-only. */

import { DownloadOutlined, SafetyCertificateOutlined } from '@ant-design/icons-svg';
import {
  type AuditFilter,
  type AuditVerification,
  auditEndpoint,
  exportAuditEndpoint,
  verifyAuditEndpoint,
} from '@patch/contract/operations/audit-endpoints.ts';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { takeFile } from '../../api/take-file.ts';
import { Button } from '../../widgets/button.tsx';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { LoadFailure } from '../../widgets/load-failure.tsx';
import { Menu } from '../../widgets/menu.tsx';
import { Notice } from '../../widgets/notice.tsx';
import { PageHeader } from '../../widgets/page-header.tsx';
import { Skeleton } from '../../widgets/skeleton.tsx';
import { StateDrawing } from '../../widgets/state-drawing.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditRows } from './audit-rows.tsx';
import styles from './audit-screen.module.css';
import { type AuditSearch, auditSearchSchema, toAuditFilter } from './audit-search.ts';

const pageSize = 50;

export function AuditScreen() {
  const search = auditSearchSchema.parse(useSearch({ strict: false }));
  const filter = toAuditFilter(search);
  const navigate = useNavigate();
  const updateSearch = (next: AuditSearch) => void navigate({ to: '.', search: next as never });
  const pages = useAuditPages(filter);
  const verifying = useMutation({
    mutationFn: () => callApi(verifyAuditEndpoint),
    onSuccess: () => pages.refetch(),
  });

  return (
    <>
      <PageHeader
        title="Audit log"
        beside={describeTotal(pages.data?.pages[0]?.totalCount)}
        actions={
          pages.data === undefined ? undefined : (
            <>
              <Button
                icon={<Icon of={SafetyCertificateOutlined} />}
                loading={verifying.isPending}
                onClick={() => verifying.mutate()}
              >
                Verify
              </Button>
              <AuditExport filter={filter} />
            </>
          )
        }
      />
      <div className={`${styles['screen']} grid grid-cols-1 gap-3 mt-4`}>
        {verifying.data === undefined ? null : (
          <AuditVerificationResult result={verifying.data} onClose={() => verifying.reset()} />
        )}
        <AuditFilters
          search={search}
          onChange={(change) => updateSearch({ ...search, ...change })}
          onClear={() => updateSearch({})}
        />
        <AuditEntries
          pages={pages}
          onClear={Object.keys(filter).length === 0 ? undefined : () => updateSearch({})}
        />
      </div>
    </>
  );
}

/** Loads the matching entries, newest first, page by page. */
function useAuditPages({ from, to, ...filter }: AuditFilter) {
  return useInfiniteQuery({
    queryKey: queryKeys.audit.entries({ from, to, ...filter }),
    queryFn: ({ pageParam, signal }) =>
      callApi(auditEndpoint, {
        query: {
          ...filter,
          ...(from !== undefined && { from: String(from) }),
          ...(to !== undefined && { to: String(to) }),
          size: String(pageSize),
          ...(pageParam !== null && { olderThan: String(pageParam) }),
        },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

function describeTotal(total: number | null | undefined): string | undefined {
  if (total === null || total === undefined) return undefined;
  return `${formatNumber(total)} ${total === 1 ? 'entry' : 'entries'}`;
}

/** A menu that downloads all matching entries. */
function AuditExport({ filter }: { readonly filter: AuditFilter }) {
  const exporting = useMutation({
    mutationFn: (format: 'csv' | 'json') =>
      callApi(exportAuditEndpoint, { body: { format, filter } }),
    onSuccess: ({ path, fileName }) => takeFile(path, fileName),
  });
  return (
    <Menu
      icon={<Icon of={DownloadOutlined} />}
      loading={exporting.isPending}
      entries={[
        { key: 'csv', label: 'CSV, for spreadsheets', onChoose: () => exporting.mutate('csv') },
        { key: 'json', label: 'JSON, for programs', onChoose: () => exporting.mutate('json') },
      ]}
    >
      Export
    </Menu>
  );
}

interface AuditEntriesProps {
  readonly pages: ReturnType<typeof useAuditPages>;
  /** Undefined without filters. */
  readonly onClear: (() => void) | undefined;
}

function AuditEntries({ pages, onClear }: AuditEntriesProps) {
  if (pages.data === undefined)
    return pages.error === null ? (
      <Skeleton rows={10} />
    ) : (
      <LoadFailure what="audit log" failure={pages.error} onReload={() => void pages.refetch()} />
    );
  const entries = pages.data.pages.flatMap(({ objList }) => objList);
  if (entries.length === 0)
    return (
      <StateDrawing
        state="no-match"
        title="No entry matches"
        action={
          onClear === undefined ? undefined : <Button onClick={onClear}>Clear the filters</Button>
        }
      />
    );
  return (
    <>
      <AuditRows entries={entries} stale={pages.isPlaceholderData} />
      {pages.hasNextPage ? (
        <Button loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older entries
        </Button>
      ) : null}
    </>
  );
}

/** The result of verifying the audit log. */
interface AuditVerificationResultProps {
  readonly result: AuditVerification;
  readonly onClose: () => void;
}

function AuditVerificationResult({ result, onClose }: AuditVerificationResultProps) {
  const { intact, firstBroken, checked, firstId, lastId, lastHash, otherKey, anchored } = result;
  const isProven = intact && otherKey === 0;
  return (
    <Notice
      kind={isProven ? 'success' : intact ? 'warning' : 'error'}
      onClose={onClose}
      title={
        intact
          ? `${isProven ? `All ${formatNumber(checked)} entries are unaltered` : `All ${formatNumber(checked)} entries are in sequence, but not all can be verified`}${firstId > 1 ? `, from entry ${formatNumber(firstId)} on: older entries were deleted at the end of their retention` : ''}.`
          : `Entry ${firstBroken === null ? lastId : formatNumber(firstBroken.id)} has been altered.`
      }
      description={
        intact ? (
          <>
            The hash of the last entry, {formatNumber(lastId)}, is{' '}
            <code>{lastHash.slice(0, 16)}…</code>
            <CopyButton text={lastHash} what="hash" /> Store it elsewhere to prove later that no
            entry up to here was rewritten. {formatNumber(anchored)} entries were compared with the
            service’s record outside the database.
            {otherKey === 0
              ? null
              : ` ${formatNumber(otherKey)} are keyed with a different SECRET_KEY and cannot be verified here.`}
          </>
        ) : (
          `${firstBroken?.reason ?? ''} The ${formatNumber(checked)} entries before it are intact. Compare it with the service's log, which has the hash of every entry.`
        )
      }
    />
  );
}
