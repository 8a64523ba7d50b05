/** Records that a vendor no longer lists, too many to withdraw without approval: what is missing, and the administrator's decision. */
import type { heldDecisions } from '@patch/contract/source-settings-endpoints.ts';
import type { HeldWithdrawal, SourceState } from '@patch/contract/sync-endpoints.ts';
import type { Question } from '../../widgets/confirm-question.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './held.module.css';
import { HeldItems, type HeldItemsProps } from './held-items.tsx';
import { heldName, recordsText } from './held-text.ts';

/** From more records on, the number is typed before they are withdrawn. */
const fewRecords = 100;

export type HeldDecision = (typeof heldDecisions)[number];

export interface HeldWithdrawalsProps
  extends Pick<HeldItemsProps<HeldWithdrawal>, 'state' | 'mayAct' | 'asked'> {
  readonly onDecide: (held: HeldWithdrawal, decision: HeldDecision) => void;
}

export function HeldWithdrawals({ state, mayAct, asked, onDecide }: HeldWithdrawalsProps) {
  return (
    <HeldItems
      label={`Withdrawals on hold for ${state.label}`}
      items={state.held}
      {...{ state, mayAct, asked }}
      tell={(held) => (
        <>
          <p>
            <strong>{heldName(held, state)}</strong>: the vendor lists{' '}
            {formatNumber(held.known - held.missing)} of {formatNumber(held.known)} known records.{' '}
            {recordsText(held.missing, 'are waiting', 'is waiting')} for{' '}
            {mayAct ? 'your' : 'an administrator’s'} approval.
          </p>
          <details className={styles['examples']}>
            <summary>
              {held.examples.length < held.missing
                ? `Some of the ${formatNumber(held.missing)}`
                : 'Which'}
              , first missed <TimeAgo value={held.heldAt} />
            </summary>
            <ul>
              {held.examples.map((example) => (
                <li key={example} className="mono">
                  {example}
                </li>
              ))}
            </ul>
          </details>
        </>
      )}
      change={{
        label: (held) => `Withdraw ${recordsText(held.missing)}`,
        question: (held) => withdrawQuestion(held, state),
        onYes: (held) => onDecide(held, 'withdraw'),
      }}
      keep={{
        label: (held) => `Keep ${held.missing === 1 ? 'it' : 'them'}`,
        onKeep: (held) => onDecide(held, 'keep'),
      }}
    />
  );
}

function withdrawQuestion(held: HeldWithdrawal, state: SourceState): Question {
  const name = heldName(held, state);
  return {
    title: `Withdraw ${recordsText(held.missing)} of ${name}?`,
    body: `A sync of ${state.label} is started. If the vendor still does not list them, they leave the list; their pages stay, marked as withdrawn, and they return when the vendor lists them again.`,
    danger: true,
    yes: `Withdraw ${recordsText(held.missing)}`,
    no: 'Do not withdraw',
    ...(held.missing > fewRecords ? { typed: String(held.missing) } : {}),
  };
}
