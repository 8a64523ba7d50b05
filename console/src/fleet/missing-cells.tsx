/** Cells of a missing record, shared by the machine check and the stored machines. */
import type { ListKey } from '@patch/catalogue/lists.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type { MissingRecord } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { DueDate } from '@patch/contract/fleet/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { dayDate } from '../values/day-date.ts';
import { BreakableName } from '../values/names.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { SeverityIcon } from '../widgets/severity-icon.tsx';
import { overdueWords } from './due-words.ts';
import styles from './missing-cells.module.css';

type ShownRecord = Pick<
  MissingRecord,
  'list' | 'recordId' | 'identifier' | 'title' | 'severity' | 'exploited'
>;

/** Hundreds of packages can prove one missing record. */
const maxShownEvidence = 3;

/** `state` is shown in narrow windows, which hide the state column. */
export function RecordCell({
  record,
  state = null,
}: {
  readonly record: ShownRecord;
  readonly state?: string | null;
}) {
  const { list, recordId, identifier, title } = record;
  return (
    <td>
      <Link to={recordPath(getList(list as ListKey), recordId)}>{identifier ?? recordId}</Link>
      <span className={`${styles['below']} block break-anywhere text-quiet figures`}>{title}</span>
      {state !== null && <span className={styles['state']}>{state}</span>}
    </td>
  );
}

export function SeverityCell({ record }: { readonly record: ShownRecord }) {
  const { severity, exploited } = record;
  return (
    <td>
      <span className="inline-flex items-center gap-1">
        <SeverityIcon severity={severities.find((known) => known === severity) ?? 'Unspecified'} />
        {severity ?? 'Unspecified'}
      </span>
      {exploited === true && (
        <span className={`${styles['below']} block break-anywhere text-danger font-600`}>
          Exploited
        </span>
      )}
    </td>
  );
}

/** Empty where it is not certain that the record is missing. */
export function DueCell({ due }: { readonly due: DueDate | null }) {
  if (due === null) return <td />;
  const { dueDate, evidence } = due;
  const overdue = overdueWords(due);
  return (
    <td className={styles['due']}>
      {dueDate === null ? 'No due date' : dayDate(dueDate, 'UTC')}
      {overdue !== null && (
        <span className={`${styles['below']} block text-danger font-600 figures`}>{overdue}</span>
      )}
      <span className={`${styles['below']} block text-quiet figures`}>{evidence}</span>
    </td>
  );
}

export function EvidenceCell({ record }: { readonly record: Pick<MissingRecord, 'evidence'> }) {
  const { evidence } = record;
  const more = evidence.length - maxShownEvidence;
  return (
    <td>
      {evidence.slice(0, maxShownEvidence).map(({ name, installed, fixed }) => (
        <span key={`${name} ${installed}`} className={`${styles['evidence']} block`}>
          <BreakableName name={name} /> <BreakableName name={installed ?? ''} /> →{' '}
          <BreakableName name={fixed ?? ''} />
        </span>
      ))}
      {more > 0 && (
        <span className={`${styles['below']} block break-anywhere text-quiet figures`}>
          and {formatNumber(more)} more
        </span>
      )}
    </td>
  );
}
