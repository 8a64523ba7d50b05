/** Everything that is known of a record, the same in the drawer and on its page. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { severityField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { Skeleton } from 'antd';
import { lazy, Suspense } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { partsOfList } from '../clients/client-parts.ts';
import { RecordMachines } from '../fleet/record-machines.tsx';
import { chunkInTime } from '../theme/chunk-in-time.ts';
import { LinkedIdentifiers } from '../values/linked-identifiers.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import { type Chain, chainOfRecord } from './chain-of-record.ts';
import { DetailEntries } from './detail-entries.tsx';
import { DetailTable } from './detail-table.tsx';
import { entryLayout } from './entry-groups.ts';
import styles from './record-content.module.css';
import { cvesOfRecord, mappingOf } from './record-cves.ts';
import { RecordFacts } from './record-facts.tsx';
import { RecordStorage } from './record-storage.tsx';
import { sectionId } from './section-id.ts';
import { SharingSection } from './sharing-section.tsx';
import { SupersedenceChain } from './supersedence-chain.tsx';
import type { TableRow } from './table-rows.ts';

const CveRiskTable = lazy(async () => {
  const { CveRiskTable: Table } = await chunkInTime(import('./cve-risk-table.tsx'));
  return { default: Table };
});

interface RecordContentProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** On a page the record's name is its first heading, in a drawer the second. */
  readonly tableHeading: 'h2' | 'h3';
}

export function RecordContent({ list, record, tableHeading }: RecordContentProps) {
  const chain = chainOfRecord(list, record);
  const { table: drawn, contradictions } = list.detail.supersedence ?? {};
  const Own = partsOfList(list.key)?.Record;
  return (
    <LinkedIdentifiers value>
      <div className={styles['content']}>
        {Own === undefined ? null : <Own key={record.id} id={record.id} />}
        <RecordFacts
          list={list}
          record={record}
          toldElsewhere={toldElsewhere(list, record, chain)}
        />
        {chain !== null && (
          <div id={sectionId(record.id, 'supersedence')} className={styles['table']}>
            <SupersedenceChain
              key={record.id}
              list={list}
              record={record}
              chain={chain}
              Heading={tableHeading}
            />
          </div>
        )}
        {list.source !== null && (
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 3 }} />}>
            <CveRiskTable
              key={`${record.id} CVEs`}
              list={list}
              record={record}
              Heading={tableHeading}
            />
          </Suspense>
        )}
        {Object.entries(list.detail.tables).map(([name, table]) => {
          if (name === drawn || name === contradictions) return null;
          const rows = (record[name] ?? []) as readonly TableRow[];
          if (rows.length === 0) return null;
          const shown = { table, rows, Heading: tableHeading };
          const layout = entryLayout(table, rows);
          const key = `${record.id} ${name}`;
          return (
            <div key={key} id={sectionId(record.id, name)} className={styles['table']}>
              {layout === null ? (
                <DetailTable {...shown} />
              ) : (
                <DetailEntries {...shown} layout={layout} />
              )}
            </div>
          );
        })}
        {list.source !== null && (
          <RecordMachines
            key={`${record.id} machines`}
            list={list.key}
            id={record.id}
            Heading={tableHeading}
          />
        )}
        <SharingSection
          key={`${record.id} sharing`}
          list={list}
          id={record.id}
          Heading={tableHeading}
        />
        <RecordStorage list={list} record={record} />
      </div>
    </LinkedIdentifiers>
  );
}

/** What the card, the chain and the table of CVEs say is not said again among the facts. */
function toldElsewhere(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain | null,
): ReadonlySet<string> {
  if (list.source === null) return new Set();
  const { evidence, last } = list.detail.supersedence ?? {};
  const mapping = mappingOf(list);
  const told = [
    ...(chain === null ? [] : [evidence, last]),
    mapping.superseded ?? undefined,
    mapping.release?.name,
    cvesOfRecord(list, record).name ?? undefined,
    severityField(list),
    ...Object.keys(list.fields).filter((name) => list.fields[name]?.risk !== undefined),
  ];
  return new Set(told.filter((name) => name !== undefined));
}

interface RecordFailureProps {
  readonly list: ListDefinition;
  readonly failure: Error;
  readonly onReload: () => void;
}

export function RecordFailure({ list, failure, onReload }: RecordFailureProps) {
  if (failure instanceof ApiCallError && failure.status === 404) {
    return (
      <StateDrawing state="not-found" title="Record not found" requestId={failure.requestId}>
        {list.label} has no record with this number. The link may come from another repository.
      </StateDrawing>
    );
  }
  return <LoadFailure what="record" failure={failure} onReload={onReload} />;
}

/** Of the shape that the record will have. */
export function RecordSkeleton() {
  return (
    <div className={styles['content']} aria-busy="true" aria-label="Loading the record">
      <Skeleton active title={{ width: '40%' }} paragraph={{ rows: 2, width: ['90%', '55%'] }} />
      <Skeleton active title={false} paragraph={{ rows: 6 }} />
    </div>
  );
}
