/** Everything that is known of a record, the same in the drawer and on its page. */

import { StopOutlined } from '@ant-design/icons-svg';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { Skeleton } from 'antd';
import { ApiCallError } from '../api/call-api.ts';
import { partsOfList } from '../clients/client-parts.ts';
import { LinkedIdentifiers } from '../values/linked-identifiers.tsx';
import { useReaderZone } from '../values/reader-zone.ts';
import { Icon } from '../widgets/icon.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import { absoluteTime } from '../widgets/time-text.ts';
import { chainOfRecord } from './chain-of-record.ts';
import { DetailEntries } from './detail-entries.tsx';
import { DetailTable } from './detail-table.tsx';
import { entryLayout } from './entry-groups.ts';
import styles from './record-content.module.css';
import { RecordFacts } from './record-facts.tsx';
import { SharingSection } from './sharing-section.tsx';
import { SupersedenceChain } from './supersedence-chain.tsx';
import type { TableRow } from './table-rows.ts';

interface RecordContentProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** On a page the record's name is its first heading, in a drawer the second. */
  readonly tableHeading: 'h2' | 'h3';
}

export function RecordContent({ list, record, tableHeading }: RecordContentProps) {
  const zone = useReaderZone();
  const { withdrawnTime } = record;
  const chain = chainOfRecord(list, record);
  const { table: drawn, contradictions, evidence } = list.detail.supersedence ?? {};
  const Own = partsOfList(list.key)?.Record;
  return (
    <LinkedIdentifiers value>
      <div className={styles['content']}>
        {typeof withdrawnTime === 'number' && (
          <p role="note" className={styles['withdrawn']}>
            <Icon of={StopOutlined} />
            <span>
              <strong>Withdrawn.</strong> The vendor has not listed this record since{' '}
              {absoluteTime(withdrawnTime, zone)}. This is its last known version.
            </span>
          </p>
        )}
        {Own === undefined ? null : <Own key={record.id} id={record.id} />}
        <RecordFacts
          list={list}
          record={record}
          toldBelow={chain === null ? undefined : evidence}
        />
        {chain !== null && (
          <SupersedenceChain
            key={record.id}
            list={list}
            record={record}
            chain={chain}
            Heading={tableHeading}
          />
        )}
        {Object.entries(list.detail.tables).map(([name, table]) => {
          if (name === drawn || name === contradictions) return null;
          const rows = (record[name] ?? []) as readonly TableRow[];
          if (rows.length === 0) return null;
          const shown = { table, rows, Heading: tableHeading };
          const layout = entryLayout(table, rows);
          const key = `${record.id} ${name}`;
          return layout === null ? (
            <DetailTable key={key} {...shown} />
          ) : (
            <DetailEntries key={key} {...shown} layout={layout} />
          );
        })}
        <SharingSection
          key={`${record.id} sharing`}
          list={list}
          id={record.id}
          Heading={tableHeading}
        />
      </div>
    </LinkedIdentifiers>
  );
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
