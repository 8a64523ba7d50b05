/** Records of other lists that share CVEs or KBs with a record. Absent when none do. Fetched after the record. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import {
  type SharingList,
  sharingRecordsEndpoint,
} from '@patch/contract/records/shared-identifier-endpoints.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../api/api-query.ts';
import { queryKeys } from '../api/query-keys.ts';
import { buildMentions } from '../widgets/build-figure.ts';
import { Button } from '../widgets/button.tsx';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatCount, formatNumber } from '../widgets/format-number.ts';
import { Skeleton } from '../widgets/skeleton.tsx';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import { FoldSection } from './fold-section.tsx';
import { SharingListRecords } from './sharing-list-records.tsx';
import { StillIndexed } from './still-indexed.tsx';

const initialCount = 3;

interface SharingSectionProps {
  readonly list: ListDefinition;
  readonly id: number;
  readonly Heading: 'h2' | 'h3';
}

export function SharingSection({ list, id, Heading }: SharingSectionProps) {
  const sharing = useQuery({
    ...apiQuery(queryKeys.lists.sharing(list.key, id), sharingRecordsEndpoint, {
      params: { list: list.key, id: String(id) },
    }),
    enabled: list.source !== null,
  });
  if (list.source === null) return null;
  const { lists, indexing } = sharing.data ?? {};
  if (lists?.length === 0 && indexing === undefined) return null;
  const total = sharing.data?.lists.reduce((sum, { totalCount }) => sum + totalCount, 0);
  return (
    <FoldSection
      key={`${id} ${sharing.isError}`}
      id="other-lists"
      Heading={Heading}
      title="Also in other lists"
      {...(total !== undefined && { count: formatNumber(total) })}
      isOpen={sharing.isError}
    >
      {sharing.data !== undefined ? (
        sharing.data.lists.map((found) => (
          <ListSection key={found.list} found={found} identifiers={sharing.data.identifiers} />
        ))
      ) : sharing.isPending ? (
        <Skeleton rows={3} />
      ) : (
        <p role="alert" className="text-danger text-dense">
          Records in other lists could not be loaded. {sharing.error.message}{' '}
          <Button small onClick={() => void sharing.refetch()}>
            Reload
          </Button>
        </p>
      )}
      <StillIndexed lists={indexing} />
    </FoldSection>
  );
}

function ListSection({
  found,
  identifiers,
}: {
  readonly found: SharingList;
  readonly identifiers: readonly string[];
}) {
  const [all, setAll] = useState(false);
  const list: CatalogueList | undefined = catalogueLists.find(({ key }) => key === found.list);
  if (list === undefined) return null;
  const { records, totalCount } = found;
  const shown = all ? records : records.slice(0, initialCount);
  const words = formatCount(totalCount, ['record', 'records']);
  return (
    <div className="grid gap-2 min-w-0">
      <p className="flex flex-wrap items-center gap-2 text-dense">
        <VendorMark of={list.key} size={20} />
        <span className="font-550">{list.label}</span>
        <span className="text-quiet figures font-400">
          <FigureLink
            figure={buildMentions(list.key, totalCount, identifiers)}
            counts={[`record of ${list.label}`, `records of ${list.label}`]}
          >
            {words}
          </FigureLink>
        </span>
      </p>
      <SharingListRecords list={list} records={shown} showShares={identifiers.length > 1} />
      {records.length > initialCount && (
        <p className="flex items-center gap-2 text-quiet figures text-small">
          <Button small look="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `Show ${records.length - initialCount} more`}
          </Button>
          {all && totalCount > records.length && (
            <span>
              the newest {records.length} of {formatNumber(totalCount)}
            </span>
          )}
        </p>
      )}
    </div>
  );
}
