/** Content that a publication has lost: what is missing in how many records, and the administrator's decision. */
import type { contentDecisions } from '@patch/contract/source-settings-endpoints.ts';
import type { HeldContent, SourceState } from '@patch/contract/sync-endpoints.ts';
import type { Question } from '../../widgets/confirm-question.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './held.module.css';
import { HeldItems, type HeldItemsProps } from './held-items.tsx';
import { heldName, recordsText } from './held-text.ts';

/** From more records on, the number is typed before they are changed. */
const fewRecords = 100;

export type ContentDecision = (typeof contentDecisions)[number];

export interface HeldContentsProps
  extends Pick<HeldItemsProps<HeldContent>, 'state' | 'mayAct' | 'asked'> {
  readonly onDecide: (held: HeldContent, decision: ContentDecision) => void;
}

export function HeldContents({ state, mayAct, asked, onDecide }: HeldContentsProps) {
  return (
    <HeldItems
      label={`Content changes on hold for ${state.label}`}
      items={state.heldContent}
      {...{ state, mayAct, asked }}
      tell={(held) => (
        <>
          <p>
            <strong>{heldName(held, state)}</strong>: the publication has lost content.{' '}
            {recordsText(held.records)} of {formatNumber(held.compared)} would change and{' '}
            {held.records === 1 ? 'stays' : 'stay'} as before until{' '}
            {mayAct ? 'you decide' : 'an administrator decides'}.
          </p>
          <p>Affected: {lossesWords(held)}.</p>
          <details className={styles['examples']}>
            <summary>
              Examples, first seen <TimeAgo value={held.heldAt} />
            </summary>
            <dl>
              {held.examples.map(({ name, losses }) => (
                <div key={name}>
                  <dt className="mono">{name}</dt>
                  {losses.map((words) => (
                    <dd key={words}>{words}</dd>
                  ))}
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
      change={{
        label: () => 'Accept the changes',
        question: (held) => acceptQuestion(held, state),
        onYes: (held) => onDecide(held, 'accept'),
      }}
      keep={{ label: () => 'Keep what is stored', onKeep: (held) => onDecide(held, 'keep') }}
    />
  );
}

/** 'CVEs in 129 records, Severity in 16' */
function lossesWords({ losses }: HeldContent): string {
  return losses
    .map(
      ({ label, records }, place) =>
        `${label} in ${place === 0 ? recordsText(records) : formatNumber(records)}`,
    )
    .join(', ');
}

function acceptQuestion(held: HeldContent, state: SourceState): Question {
  return {
    title: `Change ${recordsText(held.records)} of ${heldName(held, state)}?`,
    body: `A sync of ${state.label} is started. It writes what the vendor publishes now, if that is still the same. What the records said before stays in the history of the run.`,
    danger: true,
    yes: `Change ${recordsText(held.records)}`,
    no: 'Do not change',
    ...(held.records > fewRecords ? { typed: String(held.records) } : {}),
  };
}
