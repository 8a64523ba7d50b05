/** Content of a record, shared by the drawer and the page. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { severityField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail } from '@patch/contract/row-schema.ts';
import { type ReactNode, useMemo } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { findListParts } from '../clients/list-parts.ts';
import { RecordMachines } from '../fleet/record-machines.tsx';
import { LinkedIdentifiers } from '../values/linked-identifiers.tsx';
import { LazyPart, lazyComponent } from '../widgets/lazy-part.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import { useSteps } from '../widgets/use-steps.ts';
import { type Chain, readChain } from './chain-of-record.ts';
import { DetailEntries } from './detail-entries.tsx';
import { DetailTable } from './detail-table.tsx';
import { findEntryLayout } from './entry-groups.ts';
import styles from './record-content.module.css';
import { getMapping, readCves } from './record-cves.ts';
import { RecordFacts, RecordStorage } from './record-facts.tsx';
import { buildSectionId } from './scroll-button.tsx';
import { SharingSection } from './sharing-section.tsx';
import { SupersedenceChain } from './supersedence-chain.tsx';
import type { TableRow } from './table-rows.ts';
import { UpdateRecords } from './update-records.tsx';

const CveRiskTable = lazyComponent(async () => (await import('./cve-risk-table.tsx')).CveRiskTable);

interface RecordContentProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** One level below the record's heading: `h1` on a page, `h2` in the drawer. */
  readonly tableHeading: 'h2' | 'h3';
}

export function RecordContent({ list, record, tableHeading }: RecordContentProps) {
  const chain = useMemo(() => readChain(list, record), [list, record]);
  const Own = findListParts(list.key)?.Record;
  // Memoized, so that React skips rendered sections at each step.
  const sections = useMemo(
    () => buildSections({ list, record, tableHeading }),
    [list, record, tableHeading],
  );
  const steps = useSteps(sections.length);
  return (
    <LinkedIdentifiers value>
      <div className="grid gap-6 min-w-0">
        {Own === undefined ? null : <Own key={record.id} id={record.id} />}
        <RecordFacts
          list={list}
          record={record}
          shownElsewhere={findShownElsewhere(list, record, chain)}
        />
        {chain !== null && (
          <div id={buildSectionId(record.id, 'supersedence')} className={styles['table']}>
            <SupersedenceChain
              key={record.id}
              list={list}
              record={record}
              chain={chain}
              Heading={tableHeading}
            />
          </div>
        )}
        {sections.slice(0, steps)}
      </div>
    </LinkedIdentifiers>
  );
}

/** Returns the sections below the facts, in order. */
function buildSections({ list, record, tableHeading }: RecordContentProps): readonly ReactNode[] {
  const { table: drawn, contradictions } = list.detail.supersedence ?? {};
  const tables = Object.entries(list.detail.tables).flatMap(([name, table]) => {
    if (name === drawn || name === contradictions) return [];
    const rows = (record[name] ?? []) as readonly TableRow[];
    if (rows.length === 0) return [];
    const shown = { table, rows, Heading: tableHeading };
    const layout = findEntryLayout(table, rows);
    return (
      <div
        key={`${record.id} ${name}`}
        id={buildSectionId(record.id, name)}
        className={styles['table']}
      >
        {layout === null ? (
          <DetailTable {...shown} />
        ) : (
          <DetailEntries {...shown} layout={layout} />
        )}
      </div>
    );
  });
  const sharing = (
    <SharingSection
      key={`${record.id} sharing`}
      list={list}
      id={record.id}
      Heading={tableHeading}
    />
  );
  const storage = <RecordStorage key={`${record.id} storage`} list={list} record={record} />;
  if (list.source === null) return [...tables, sharing, storage];
  return [
    <LazyPart key={`${record.id} CVEs`} wheel fallback={<Skeleton rows={3} />}>
      <CveRiskTable list={list} record={record} Heading={tableHeading} />
    </LazyPart>,
    <UpdateRecords
      key={`${record.id} update`}
      list={list}
      record={record}
      Heading={tableHeading}
    />,
    ...tables,
    <RecordMachines
      key={`${record.id} machines`}
      list={list.key}
      id={record.id}
      Heading={tableHeading}
    />,
    sharing,
    storage,
  ];
}

/** Returns the names of fields that the card, the chain or the table of CVEs shows. */
function findShownElsewhere(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain | null,
): ReadonlySet<string> {
  if (list.source === null) return new Set();
  const { evidence, last } = list.detail.supersedence ?? {};
  const mapping = getMapping(list);
  const names = [
    ...(chain === null ? [] : [evidence, last]),
    mapping.superseded ?? undefined,
    mapping.release?.name,
    readCves(list, record).name ?? undefined,
    severityField(list),
    ...Object.keys(list.fields).filter((name) => list.fields[name]?.risk !== undefined),
  ];
  return new Set(names.filter((name) => name !== undefined));
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

/** Placeholder with the shape of a record. */
export function RecordSkeleton() {
  return (
    <div className="grid gap-6 min-w-0" aria-busy="true" aria-label="Loading the record">
      <Skeleton headed rows={2} />
      <Skeleton rows={6} />
    </div>
  );
}
