/** Card at the top of a record: identity, state, what to install, product, risk, downloads. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { ratingField } from '@patch/catalogue/definition/record-name.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { findInstallFields } from '@patch/catalogue/records/install-fields.ts';
import type { WireDetail, WireRow, WireValue } from '@patch/contract/base/row-schema.ts';
import type { ReactNode } from 'react';
import { toChoiceSeverity } from '../values/choice-severity.ts';
import { Fact } from '../values/fact-of-kind.tsx';
import { LinkedIdentifiers } from '../values/linked-identifiers.tsx';
import { OutArrow } from '../values/out-arrow.tsx';
import { safeAddress } from '../values/safe-address.ts';
import { isEmptyValue } from '../values/value-view.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { Answer } from './answer.tsx';
import { readChain } from './chain-of-record.ts';
import styles from './record-card.module.css';
import { getMapping } from './record-cves.ts';
import { RecordExport } from './record-export.tsx';
import { RecordIdentity } from './record-identity.tsx';
import { getStanding } from './record-standing.ts';
import { RiskAnswer } from './risk-answer.tsx';
import { ScrollButton } from './scroll-button.tsx';
import { StandingAnswer } from './standing-answer.tsx';
import type { TableRow } from './table-rows.ts';
import { useUpdate } from './use-update.ts';

interface RecordCardProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  readonly heading: { readonly Tag: 'h1' | 'h2'; readonly id?: string };
  readonly actions?: ReactNode;
}

export function RecordCard({ list, record, heading, actions }: RecordCardProps) {
  return (
    <div className="grid gap-4 min-w-0">
      <RecordIdentity
        list={list}
        record={record}
        heading={heading}
        actions={
          <>
            {actions}
            <RecordExport list={list} record={record} />
          </>
        }
      />
      {/* Records without a source, such as clients, are not installed. */}
      {list.source !== null && <Answers key={record.id} list={list} record={record} />}
    </div>
  );
}

function Answers({ list, record }: Pick<RecordCardProps, 'list' | 'record'>) {
  const chain = readChain(list, record);
  return (
    <LinkedIdentifiers value>
      <dl
        className={`${styles['answers']} grid gap-2 m-0 border rounded bg-canvas`}
        aria-label="At a glance"
      >
        <StandingAnswer
          list={list}
          record={record}
          chain={chain}
          standing={getStanding(list, record, chain)}
        />
        <ProductAnswer list={list} record={record} />
        <RiskAnswer list={list} record={record} />
        <UpdateAnswer list={list} record={record} />
        <KnownIssuesAnswer record={record} />
        <DownloadAnswer list={list} record={record} />
      </dl>
    </LinkedIdentifiers>
  );
}

/** Product of a KB, or releases of an erratum. */
function ProductAnswer({ list, record }: Pick<RecordCardProps, 'list' | 'record'>) {
  const release = getMapping(list).release;
  if (release === null || release.kind === 'table' || isEmptyValue(record[release.name]))
    return null;
  const field = { ...list.fields, ...list.detail.facts }[release.name];
  if (field === undefined) return null;
  return (
    <Answer label={field.label}>
      <Fact field={field} value={record[release.name] as WireValue} />
    </Answer>
  );
}

/** Number of known issues, linked to their table. */
function KnownIssuesAnswer({ record }: Pick<RecordCardProps, 'record'>) {
  const issues = record['knownIssues'];
  if (!Array.isArray(issues) || issues.length === 0) return null;
  return (
    <Answer label="Known issues">
      <ScrollButton to="knownIssues">
        {issues.length === 1 ? '1 known issue' : `${issues.length} known issues`}
      </ScrollButton>
    </Answer>
  );
}

/** Risk of the whole update that a record is a part of, as All patches and the dashboard show it. */
interface UpdateAnswerProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

/** Renders nothing for a record that is an update by itself. */
export function UpdateAnswer({ list, record }: UpdateAnswerProps) {
  const { data } = useUpdate(list, record);
  if (data === undefined || data === null || data.recordCount < 2) return null;
  const { whole, recordCount } = data;
  const cves = Array.isArray(whole['cve']) ? whole['cve'].length : 0;
  return (
    <Answer label="Whole update">
      {describeOthers(list, record, whole)}
      {whole['exploited'] === true && 'Known exploited, '}
      {typeof whole['cvss'] === 'number' && `Highest CVSS ${whole['cvss']}, `}
      {cves === 1 ? '1 CVE' : `${formatNumber(cves)} CVEs`} over{' '}
      <ScrollButton to="update">{formatNumber(recordCount)} records</ScrollButton>
    </Answer>
  );
}

/** Says what the update has for another product than the record's. */
function describeOthers(list: ListDefinition, record: WireDetail, whole: WireRow): string {
  const severity = severityOf(getList('all_patches'), whole);
  const others = [
    ...(severity === severityOf(list, record) ? [] : [severity]),
    ...(whole['superseded'] === false && record['superseded'] === true ? ['Current'] : []),
  ].filter((word) => word !== undefined);
  return others.length === 0 ? '' : `${others.join(' and ')} for another product, `;
}

/** Returns the severity that the vendor states; undefined for a list without one. */
function severityOf(list: ListDefinition, row: Readonly<Record<string, unknown>>) {
  const name = ratingField(list);
  return name === undefined ? undefined : toChoiceSeverity(getField(list, name), row[name]);
}

/** Download link of the vendor, and a link to the table of files. */
interface DownloadAnswerProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
}

function DownloadAnswer({ list, record }: DownloadAnswerProps) {
  const { download } = findInstallFields(list);
  const own = download === undefined ? undefined : safeAddress(String(record[download] ?? ''));
  const files = findFiles(list, record);
  if (own === undefined && files === null) return null;
  return (
    <Answer label="Download">
      {own !== undefined && (
        <a href={own} target="_blank" rel="noopener noreferrer">
          {new URL(own).host} <OutArrow />
        </a>
      )}{' '}
      {files !== null && (
        <ScrollButton to={files.table}>
          {files.count === 1 ? '1 file' : `${files.count} files`}
        </ScrollButton>
      )}
    </Answer>
  );
}

/** Returns the first table with download addresses and the number of its files. */
function findFiles(
  list: ListDefinition,
  record: WireDetail,
): { readonly table: string; readonly count: number } | null {
  for (const [table, { fields }] of Object.entries(list.detail.tables)) {
    if (fields['downloadUrl'] === undefined) continue;
    const rows = (record[table] ?? []) as readonly TableRow[];
    const count = rows.filter(
      ({ downloadUrl }) =>
        typeof downloadUrl === 'string' && safeAddress(downloadUrl) !== undefined,
    ).length;
    if (count > 0) return { table, count };
  }
  return null;
}
