/** The quarantine of a source, one entry per row: the proposed change, the affected records, and the two answers. */

import { WarningFilled } from '@ant-design/icons-svg';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { getStartBlockedReason } from '../../runs/run-text.ts';
import { Button } from '../../widgets/button.tsx';
import type { Question } from '../../widgets/confirm-dialog.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './quarantine-panel.module.css';

/** Above this number of records, the user confirms by typing the number. */
const confirmAbove = 100;

export type QuarantineAnswer = 'accept' | 'reject';

export interface QuarantinePanelProps {
  readonly state: SourceState;
  readonly mayAct: boolean;
  /** A decision was sent and its reply is pending. */
  readonly isSent: boolean;
  readonly onDecide: (entry: QuarantineEntry, answer: QuarantineAnswer) => void;
}

export function QuarantinePanel({ state, mayAct, isSent, onDecide }: QuarantinePanelProps) {
  const accept = useConfirmedAction({
    question: (entry: QuarantineEntry) => toAcceptQuestion(entry, state),
    run: (entry) => onDecide(entry, 'accept'),
  });
  const blockedReason = getStartBlockedReason(state);
  const buttonProps = { disabled: blockedReason !== null || isSent, title: blockedReason ?? '' };
  return (
    <ul
      className="grid col-span-full gap-2 min-w-0 plain-list"
      aria-label={`Quarantine of ${state.label}`}
    >
      {state.quarantine.map((entry) => {
        const { part, list, reason, records, known } = entry;
        const templates = reasonTemplates[reason];
        return (
          <li
            key={`${part} ${list} ${reason}`}
            className={`${styles['entry']} grid gap-y-2 gap-x-3 p-3 rounded`}
          >
            <Icon of={WarningFilled} className={styles['icon'] ?? ''} />
            <div>
              <p>
                <strong>{getEntryName(entry, state)}</strong>: {templates.describe(records, known)}{' '}
                until {mayAct ? 'you decide' : 'an administrator decides'}.
              </p>
              {entry.losses.length === 0 ? null : <p>Affected: {describeLosses(entry)}.</p>}
              <Examples entry={entry} />
            </div>
            {mayAct ? (
              <div className={`${styles['actions']} flex flex-wrap justify-end gap-2`}>
                <Button small danger {...buttonProps} onClick={() => void accept(entry)}>
                  {templates.accept(records)}
                </Button>
                <Button small {...buttonProps} onClick={() => onDecide(entry, 'reject')}>
                  Keep stored records
                </Button>
                {blockedReason === null ? null : (
                  <p className={`${styles['why']} text-small`}>{blockedReason}</p>
                )}
              </div>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function Examples({
  entry: { records, examples, quarantinedAt },
}: {
  readonly entry: QuarantineEntry;
}) {
  return (
    <details className="mt-1 text-small">
      <summary className={`${styles['summary']} cursor-pointer`}>
        {examples.length < records ? `Some of the ${formatNumber(records)}` : 'Which'}, first seen{' '}
        <TimeAgo value={quarantinedAt} />
      </summary>
      <dl className="grid gap-1 m-0 mt-1">
        {examples.map(({ name, losses }) => (
          <div key={name}>
            <dt className="break-anywhere mono">{name}</dt>
            {losses.map((details) => (
              <dd key={details} className={`${styles['losses']} break-anywhere`}>
                {details}
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}

interface ReasonTemplates {
  /** A sentence without its end 'until … decides'. */
  readonly describe: (records: number, known: number) => string;
  readonly accept: (records: number) => string;
  readonly effect: string;
}

const reasonTemplates: Readonly<Record<QuarantineEntry['reason'], ReasonTemplates>> = {
  records_missing: {
    describe: (records, known) =>
      `the vendor lists ${formatNumber(known - records)} of ${formatNumber(known)} known records. ${formatRecords(records)} ${records === 1 ? 'stays' : 'stay'}`,
    accept: (records) => `Withdraw ${formatRecords(records)}`,
    effect:
      'If the vendor still does not list them, they leave the list; their pages stay, marked as withdrawn, and they return when the vendor lists them again.',
  },
  content_lost: {
    describe: (records, known) =>
      `the publication has lost content. ${formatRecords(records)} of ${formatNumber(known)} would change and ${records === 1 ? 'stays' : 'stay'} as before`,
    accept: (records) => `Change ${formatRecords(records)}`,
    effect:
      'If the publication is unchanged, the sync writes it. The previous values stay in the history of the run.',
  },
};

function toAcceptQuestion(entry: QuarantineEntry, state: SourceState): Question {
  const { records, reason } = entry;
  const { accept, effect } = reasonTemplates[reason];
  return {
    title: `${accept(records)} of ${getEntryName(entry, state)}?`,
    body: `A sync of ${state.label} is started. ${effect}`,
    danger: true,
    yes: accept(records),
    no: 'Decide later',
    ...(records > confirmAbove ? { typed: String(records) } : {}),
  };
}

/** Names the part, and the list when the source fills several. */
function getEntryName({ partLabel, list }: QuarantineEntry, { lists }: SourceState): string {
  const label = lists.length > 1 ? lists.find(({ key }) => key === list)?.label : undefined;
  return label === undefined ? partLabel : `${partLabel}, ${label}`;
}

/** Returns for example 'CVEs in 129 records, Severity in 16'. */
function describeLosses({ losses }: QuarantineEntry): string {
  return losses
    .map(
      ({ label, records }, index) =>
        `${label} in ${index === 0 ? formatRecords(records) : formatNumber(records)}`,
    )
    .join(', ');
}

const formatRecords = (count: number) =>
  `${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;
