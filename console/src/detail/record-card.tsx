/** Card at the top of a record: identity, state, what to install, product, risk, downloads. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireDetail, WireValue } from '@patch/contract/row-schema.ts';
import type { ReactNode } from 'react';
import { Fact } from '../values/fact-of-kind.tsx';
import { LinkedIdentifiers } from '../values/linked-identifiers.tsx';
import { isEmptyValue } from '../values/value-view.tsx';
import { Answer } from './answer.tsx';
import { readChain } from './chain-of-record.ts';
import { DownloadAnswer } from './download-answer.tsx';
import styles from './record-card.module.css';
import { getMapping } from './record-cves.ts';
import { RecordExport } from './record-export.tsx';
import { RecordIdentity } from './record-identity.tsx';
import { getStanding } from './record-standing.ts';
import { RiskAnswer } from './risk-answer.tsx';
import { ScrollButton } from './scroll-button.tsx';
import { buildSectionId } from './section-id.ts';
import { StandingAnswer } from './standing-answer.tsx';
import { UpdateAnswer } from './update-answer.tsx';

interface RecordCardProps {
  readonly list: ListDefinition;
  readonly record: WireDetail;
  readonly heading: { readonly Tag: 'h1' | 'h2'; readonly id?: string };
  readonly actions?: ReactNode;
}

export function RecordCard({ list, record, heading, actions }: RecordCardProps) {
  return (
    <div className={styles['card']}>
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
      <dl className={styles['answers']} aria-label="At a glance">
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
      <ScrollButton to={buildSectionId(record.id, 'knownIssues')}>
        {issues.length === 1 ? '1 known issue' : `${issues.length} known issues`}
      </ScrollButton>
    </Answer>
  );
}
