/** What waits for an administrator's decision, an item a row: what it is about, and the two answers. */

import { WarningFilled } from '@ant-design/icons-svg';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import type { ReactNode } from 'react';
import { startBlockedReason } from '../../runs/run-text.ts';
import { Button } from '../../widgets/button.tsx';
import type { Question } from '../../widgets/confirm-question.ts';
import { Icon } from '../../widgets/icon.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './held.module.css';

export interface HeldItemsProps<Held> {
  /** Of the list, for those who do not see it. */
  readonly label: string;
  readonly state: SourceState;
  readonly items: readonly Held[];
  readonly mayAct: boolean;
  /** A decision was sent and is not answered yet. */
  readonly asked: boolean;
  /** What an item is about. */
  readonly tell: (held: Held) => ReactNode;
  /** The answer that changes records, after a question. */
  readonly change: {
    readonly label: (held: Held) => string;
    readonly question: (held: Held) => Question;
    readonly onYes: (held: Held) => void;
  };
  readonly keep: { readonly label: (held: Held) => string; readonly onKeep: (held: Held) => void };
}

export function HeldItems<Held extends { readonly part: string; readonly list: string }>(
  props: HeldItemsProps<Held>,
) {
  const { label, state, items, mayAct, asked, tell, change, keep } = props;
  const confirmChange = useConfirmedAction({ question: change.question, run: change.onYes });
  const why = startBlockedReason(state);
  const stopped = { disabled: why !== null || asked, title: why ?? '' };
  return (
    <ul className={styles['all']} aria-label={label}>
      {items.map((held) => (
        <li key={`${held.part} ${held.list}`} className={styles['held']}>
          <Icon of={WarningFilled} className={styles['icon'] ?? ''} />
          <div className={styles['told']}>{tell(held)}</div>
          {mayAct ? (
            <div className={styles['actions']}>
              <Button small danger {...stopped} onClick={() => void confirmChange(held)}>
                {change.label(held)}
              </Button>
              <Button small {...stopped} onClick={() => keep.onKeep(held)}>
                {keep.label(held)}
              </Button>
              {why === null ? null : <p className={styles['why']}>{why}</p>}
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
