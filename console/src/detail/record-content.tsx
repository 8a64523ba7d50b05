/** Content of a record, shared by the drawer and the page. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { type ReactNode, useMemo } from 'react';
import { ApiCallError } from '../api/call-api.ts';
import { findListParts } from '../clients/list-parts.ts';
import { RecordMachines } from '../fleet/record-machines.tsx';
import { RecordNotes } from '../fleet/record-notes.tsx';
import { importChunk } from '../theme/chunk-in-time.ts';
import { LinkedIdentifiers } from '../values/linked-identifiers.tsx';
import { LazyPart, lazyComponent } from '../widgets/lazy-part.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';
import { StateDrawing } from '../widgets/state-drawing.tsx';
import { useSteps } from '../widgets/use-steps.ts';
import { readChain } from './chain-of-record.ts';
import { findRatingTable } from './cve-ratings.ts';
import { DetailEntries } from './detail-entries.tsx';
import { DetailTable } from './detail-table.tsx';
import { findEntryLayout } from './entry-groups.ts';
import { RecordFacts, RecordStorage, RecordTexts } from './record-facts.tsx';
import { SharingSection } from './sharing-section.tsx';
import { findShownElsewhere } from './shown-elsewhere.ts';
import { SupersedenceChain } from './supersedence-chain.tsx';
import type { TableRow } from './table-rows.ts';
import { UpdateRecords } from './update-records.tsx';

const CveRiskTable = lazyComponent(
  async () => (await importChunk(() => import('./cve-risk-table.tsx'))).CveRiskTable,
);

interface RecordContentProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  /** One level below the record's heading: `h1` on a page, `h2` in the drawer. */
  readonly tableHeading: 'h2' | 'h3';
}

export function RecordContent({ list, record, tableHeading }: RecordContentProps) {
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
        {sections.slice(0, steps)}
      </div>
    </LinkedIdentifiers>
  );
}

/** Returns the sections in order: what a person reads before an installation, then the folded ones. */
function buildSections({ list, record, tableHeading }: RecordContentProps): readonly ReactNode[] {
  const chain = readChain(list, record);
  const [first, folded] = buildTables({ list, record, tableHeading });
  const shownElsewhere = findShownElsewhere(list, record, chain);
  const shared = { list, record, Heading: tableHeading };
  const folds = (
    <div key={`${record.id} folds`} className="grid min-w-0">
      {first}
      <UpdateRecords {...shared} />
      {chain !== null && <SupersedenceChain {...shared} chain={chain} />}
      <RecordFacts {...shared} shownElsewhere={shownElsewhere} />
      {folded}
      <SharingSection list={list} id={record.id} Heading={tableHeading} />
      <RecordStorage {...shared} />
    </div>
  );
  const texts = (
    <RecordTexts
      key={`${record.id} texts`}
      list={list}
      record={record}
      shownElsewhere={shownElsewhere}
    />
  );
  if (list.source === null) return [texts, folds];
  return [
    texts,
    <LazyPart key={`${record.id} CVEs`} wheel fallback={<Skeleton rows={3} />}>
      <CveRiskTable {...shared} />
    </LazyPart>,
    <RecordMachines
      key={`${record.id} machines`}
      list={list.key}
      id={record.id}
      Heading={tableHeading}
    />,
    <RecordNotes
      key={`${record.id} notes`}
      list={list.key}
      id={record.id}
      Heading={tableHeading}
    />,
    folds,
  ];
}

/** Returns the tables that are read first, and the others. */
function buildTables({ list, record, tableHeading }: RecordContentProps) {
  const { table: drawn, contradictions } = list.detail.supersedence ?? {};
  const elsewhere = [
    drawn,
    contradictions,
    list.source === null ? undefined : findRatingTable(list, record),
  ];
  const tables = Object.entries(list.detail.tables).flatMap(([name, table]) => {
    const rows = (record[name] ?? []) as readonly TableRow[];
    if (elsewhere.includes(name) || rows.length === 0) return [];
    const isOpen = table.readFirst === true || list.source === null;
    const shown = { id: name, table, rows, Heading: tableHeading, isOpen };
    const layout = findEntryLayout(table, rows);
    const key = `${record.id} ${name}`;
    const section =
      layout === null ? (
        <DetailTable key={key} {...shown} />
      ) : (
        <DetailEntries key={key} {...shown} layout={layout} />
      );
    return { isFirst: table.readFirst === true, section };
  });
  const isFirst = (wanted: boolean) =>
    tables.filter((table) => table.isFirst === wanted).map(({ section }) => section);
  return [isFirst(true), isFirst(false)];
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
