/** The quarantine of a source, an entry a row: what the publication would do to which records, and the two answers. */

import { WarningFilled } from '@ant-design/icons-svg';
import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { startBlockedReason } from '../../runs/run-text.ts';
import { Button } from '../../widgets/button.tsx';
import type { Question } from '../../widgets/confirm-question.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { Icon } from '../../widgets/icon.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './quarantine-panel.module.css';

/** From more records on, the number is typed before they are changed. */
const fewRecords = 100;

export type QuarantineAnswer = 'accept' | 'reject';

export interface QuarantinePanelProps {
  readonly state: SourceState;
  readonly mayAct: boolean;
  /** A decision was sent and is not answered yet. */
  readonly isSent: boolean;
  readonly onDecide: (entry: QuarantineEntry, answer: QuarantineAnswer) => void;
}

export function QuarantinePanel({ state, mayAct, isSent, onDecide }: QuarantinePanelProps) {
  const accept = useConfirmedAction({
    question: (entry: QuarantineEntry) => acceptQuestion(entry, state),
    run: (entry) => onDecide(entry, 'accept'),
  });
  const why = startBlockedReason(state);
  const stopped = { disabled: why !== null || isSent, title: why ?? '' };
  return (
    <ul className={styles['all']} aria-label={`Quarantine of ${state.label}`}>
      {state.quarantine.map((entry) => {
        const { part, list, reason, records, known } = entry;
        const texts = reasonTexts[reason];
        return (
          <li key={`${part} ${list} ${reason}`} className={styles['entry']}>
            <Icon of={WarningFilled} className={styles['icon'] ?? ''} />
            <div>
              <p>
                <strong>{entryName(entry, state)}</strong>: {texts.found(records, known)} until{' '}
                {mayAct ? 'you decide' : 'an administrator decides'}.
              </p>
              {entry.losses.length === 0 ? null : <p>Affected: {lossesText(entry)}.</p>}
              <Examples entry={entry} />
            </div>
            {mayAct ? (
              <div className={styles['actions']}>
                <Button small danger {...stopped} onClick={() => void accept(entry)}>
                  {texts.accept(records)}
                </Button>
                <Button small {...stopped} onClick={() => onDecide(entry, 'reject')}>
                  Keep what is stored
                </Button>
                {why === null ? null : <p className={styles['why']}>{why}</p>}
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
    <details className={styles['examples']}>
      <summary>
        {examples.length < records ? `Some of the ${formatNumber(records)}` : 'Which'}, first met{' '}
        <TimeAgo value={quarantinedAt} />
      </summary>
      <dl>
        {examples.map(({ name, losses }) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            {losses.map((words) => (
              <dd key={words}>{words}</dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}

interface ReasonTexts {
  /** Without its end: until who decides. */
  readonly found: (records: number, known: number) => string;
  readonly accept: (records: number) => string;
  readonly effect: string;
}

const reasonTexts: Readonly<Record<QuarantineEntry['reason'], ReasonTexts>> = {
  records_missing: {
    found: (records, known) =>
      `the vendor lists ${formatNumber(known - records)} of ${formatNumber(known)} known records. ${recordsText(records)} ${records === 1 ? 'stays' : 'stay'}`,
    accept: (records) => `Withdraw ${recordsText(records)}`,
    effect:
      'If the vendor still does not list them, they leave the list; their pages stay, marked as withdrawn, and they return when the vendor lists them again.',
  },
  content_lost: {
    found: (records, known) =>
      `the publication has lost content. ${recordsText(records)} of ${formatNumber(known)} would change and ${records === 1 ? 'stays' : 'stay'} as before`,
    accept: (records) => `Change ${recordsText(records)}`,
    effect:
      'It writes what the vendor publishes now, if that is still the same. What the records said before stays in the history of the run.',
  },
};

function acceptQuestion(entry: QuarantineEntry, state: SourceState): Question {
  const { records, reason } = entry;
  const { accept, effect } = reasonTexts[reason];
  return {
    title: `${accept(records)} of ${entryName(entry, state)}?`,
    body: `A sync of ${state.label} is started. ${effect}`,
    danger: true,
    yes: accept(records),
    no: 'Decide later',
    ...(records > fewRecords ? { typed: String(records) } : {}),
  };
}

/** A source that fills several lists says which of them it is about. */
function entryName({ partLabel, list }: QuarantineEntry, { lists }: SourceState): string {
  const label = lists.length > 1 ? lists.find(({ key }) => key === list)?.label : undefined;
  return label === undefined ? partLabel : `${partLabel}, ${label}`;
}

/** 'CVEs in 129 records, Severity in 16' */
function lossesText({ losses }: QuarantineEntry): string {
  return losses
    .map(
      ({ label, records }, index) =>
        `${label} in ${index === 0 ? recordsText(records) : formatNumber(records)}`,
    )
    .join(', ');
}

const recordsText = (count: number) =>
  `${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;
