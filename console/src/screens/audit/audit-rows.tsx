/** The audit entries as a table, or as cards on a narrow screen. Each entry opens to show its details. */
import { DownOutlined, RightOutlined } from '@ant-design/icons-svg';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { AuditOutcome, AuditRecord } from '@patch/contract/operations/audit-endpoints.ts';
import { Fragment, useState } from 'react';
import { useNarrow } from '../../theme/media-query.ts';
import { type ColourName, colour } from '../../theme/tokens.ts';
import { Icon } from '../../widgets/icon.tsx';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { AuditDifference } from './audit-difference.tsx';
import styles from './audit-rows.module.css';

export const outcomeLooks: Readonly<
  Record<AuditOutcome, { readonly word: string; readonly colour: ColourName }>
> = {
  done: { word: 'Done', colour: 'success' },
  refused: { word: 'Refused', colour: 'warning' },
  failed: { word: 'Failed', colour: 'danger' },
};

interface AuditRowsProps {
  readonly entries: readonly AuditRecord[];
  readonly stale: boolean;
}

export function AuditRows({ entries, stale }: AuditRowsProps) {
  const narrow = useNarrow();
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const toggle = (id: number) =>
    setOpened((before) =>
      before.has(id)
        ? new Set([...before].filter((entryId) => entryId !== id))
        : new Set([...before, id]),
    );
  const rowState = { opened: (id: number) => opened.has(id), toggle };
  return narrow ? (
    <Cards entries={entries} stale={stale} {...rowState} />
  ) : (
    <Table entries={entries} stale={stale} {...rowState} />
  );
}

interface ExpandableProps extends AuditRowsProps {
  readonly opened: (id: number) => boolean;
  readonly toggle: (id: number) => void;
}

function Table({ entries, stale, opened, toggle }: ExpandableProps) {
  return (
    <div className="border rounded bg-surface overflow-x-auto">
      <table
        className={`${styles['table']} w-full border-collapse text-dense leading-row`}
        aria-label="Audit log"
        aria-busy={stale}
        data-stale={stale || undefined}
      >
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Details</span>
            </th>
            {['Time', 'Who', 'Action', 'Subject', 'Outcome', 'Address'].map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Fragment key={entry.id}>
              <tr data-entry={entry.id}>
                <td className={styles['opener']}>
                  <ExpandButton entry={entry} open={opened(entry.id)} onToggle={toggle} />
                </td>
                <td className={styles['time']}>
                  <ExactTime value={entry.time} />
                </td>
                <td>
                  <Who entry={entry} />
                </td>
                <td>{entry.summary}</td>
                <td>{nameSource(entry.subject)}</td>
                <td>
                  <Outcome entry={entry} />
                </td>
                <td>{entry.address}</td>
              </tr>
              {opened(entry.id) ? (
                <tr id={detailId(entry)} className={styles['opened']}>
                  <td />
                  <td colSpan={6}>
                    <AuditDifference entry={entry} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards({ entries, stale, opened, toggle }: ExpandableProps) {
  return (
    <ul
      className={`${styles['cards']} grid gap-2 plain-list`}
      aria-label="Audit log"
      aria-busy={stale}
      data-stale={stale || undefined}
    >
      {entries.map((entry) => (
        <li key={entry.id} className={styles['card']} data-entry={entry.id}>
          <div className="flex flex-wrap items-center gap-y-1 gap-x-2">
            <ExpandButton entry={entry} open={opened(entry.id)} onToggle={toggle} />
            <strong className={`${styles['summary']} flex-1 font-550`}>{entry.summary}</strong>
            <Outcome entry={entry} />
          </div>
          <p>
            {entry.subject === '' ? null : `${nameSource(entry.subject)} · `}
            <Who entry={entry} />
          </p>
          <p className="text-quiet">
            <ExactTime value={entry.time} />
            {entry.address === '' ? null : ` · ${entry.address}`}
          </p>
          {opened(entry.id) ? (
            <div id={detailId(entry)} className={`${styles['inCard']} mt-2 border-t`}>
              <AuditDifference entry={entry} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

/** The log stores the key of a source, which outlives its label. */
const nameSource = (subject: string): string =>
  subject.replace(/\bsource (\w+)/, (words, key: string) =>
    Object.hasOwn(sourceLabels, key) ? sourceLabels[key as SourceKey] : words,
  );

const detailId = ({ id }: AuditRecord) => `audit-entry-${id}`;

function ExpandButton({
  entry,
  open,
  onToggle,
}: {
  readonly entry: AuditRecord;
  readonly open: boolean;
  readonly onToggle: (id: number) => void;
}) {
  return (
    <button
      type="button"
      className={`${styles['turn']} rounded text-quiet text-small`}
      aria-expanded={open}
      aria-controls={open ? detailId(entry) : undefined}
      aria-label={`Details of entry ${entry.id}: ${entry.summary}`}
      onClick={() => onToggle(entry.id)}
    >
      <Icon of={open ? DownOutlined : RightOutlined} />
    </button>
  );
}

function Who({
  entry: { userName, keyName, clientName, address },
}: {
  readonly entry: AuditRecord;
}) {
  const name = userName ?? clientName;
  if (name === null)
    return <span className="text-quiet">{address === '' ? 'the service' : 'not signed in'}</span>;
  const by = keyName !== null ? `API key ${keyName}` : userName === null ? 'licensed client' : null;
  return (
    <>
      {name}
      {by === null ? null : (
        <span className={`${styles['by']} block text-quiet text-small`}>{by}</span>
      )}
    </>
  );
}

function Outcome({ entry: { outcome, code } }: { readonly entry: AuditRecord }) {
  const look = outcomeLooks[outcome];
  return (
    <>
      <span className="font-550" style={{ color: colour(look.colour) }}>
        {look.word}
      </span>
      {code === '' ? null : (
        <span className={`${styles['by']} block text-quiet text-small`}>
          {code.replaceAll('_', ' ')}
        </span>
      )}
    </>
  );
}
