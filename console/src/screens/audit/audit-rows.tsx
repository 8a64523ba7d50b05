/** The entries as a table, each of which opens to what it changed; on a narrow screen each is a card. */
import { DownOutlined, RightOutlined } from '@ant-design/icons-svg';
import type { AuditOutcome, AuditRecord } from '@patch/contract/audit-endpoints.ts';
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
  const turn = (id: number) =>
    setOpened((before) =>
      before.has(id)
        ? new Set([...before].filter((other) => other !== id))
        : new Set([...before, id]),
    );
  const one = { opened: (id: number) => opened.has(id), turn };
  return narrow ? (
    <Cards entries={entries} stale={stale} {...one} />
  ) : (
    <Table entries={entries} stale={stale} {...one} />
  );
}

interface OpeningProps extends AuditRowsProps {
  readonly opened: (id: number) => boolean;
  readonly turn: (id: number) => void;
}

function Table({ entries, stale, opened, turn }: OpeningProps) {
  return (
    <div className={styles['scroller']}>
      <table
        className={styles['table']}
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
                  <Opener entry={entry} open={opened(entry.id)} onTurn={turn} />
                </td>
                <td className={styles['time']}>
                  <ExactTime value={entry.time} />
                </td>
                <td>
                  <Who entry={entry} />
                </td>
                <td>{entry.summary}</td>
                <td>{entry.subject}</td>
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

function Cards({ entries, stale, opened, turn }: OpeningProps) {
  return (
    <ul
      className={styles['cards']}
      aria-label="Audit log"
      aria-busy={stale}
      data-stale={stale || undefined}
    >
      {entries.map((entry) => (
        <li key={entry.id} className={styles['card']} data-entry={entry.id}>
          <div className={styles['head']}>
            <Opener entry={entry} open={opened(entry.id)} onTurn={turn} />
            <strong className={styles['summary']}>{entry.summary}</strong>
            <Outcome entry={entry} />
          </div>
          <p>
            {entry.subject === '' ? null : `${entry.subject} · `}
            <Who entry={entry} />
          </p>
          <p className={styles['quiet']}>
            <ExactTime value={entry.time} />
            {entry.address === '' ? null : ` · ${entry.address}`}
          </p>
          {opened(entry.id) ? (
            <div id={detailId(entry)} className={styles['inCard']}>
              <AuditDifference entry={entry} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

const detailId = ({ id }: AuditRecord) => `audit-entry-${id}`;

function Opener({
  entry,
  open,
  onTurn,
}: {
  readonly entry: AuditRecord;
  readonly open: boolean;
  readonly onTurn: (id: number) => void;
}) {
  return (
    <button
      type="button"
      className={styles['turn']}
      aria-expanded={open}
      aria-controls={open ? detailId(entry) : undefined}
      aria-label={`Details of entry ${entry.id}: ${entry.summary}`}
      onClick={() => onTurn(entry.id)}
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
    return (
      <span className={styles['quiet']}>{address === '' ? 'the service' : 'not signed in'}</span>
    );
  const by = keyName !== null ? `API key ${keyName}` : userName === null ? 'licensed client' : null;
  return (
    <>
      {name}
      {by === null ? null : <span className={styles['by']}>{by}</span>}
    </>
  );
}

function Outcome({ entry: { outcome, code } }: { readonly entry: AuditRecord }) {
  const look = outcomeLooks[outcome];
  return (
    <>
      <span className={styles['outcome']} style={{ color: colour(look.colour) }}>
        {look.word}
      </span>
      {code === '' ? null : <span className={styles['by']}>{code.replaceAll('_', ' ')}</span>}
    </>
  );
}
