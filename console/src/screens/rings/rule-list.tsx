/** The rules that make checkpoints: when they make the next one, and how many they keep. */
import {
  type CheckpointRule,
  removeCheckpointRuleEndpoint,
} from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { ResourceList, RowButton } from '../../resources/resource-list.tsx';
import { formatCount } from '../../widgets/format-number.ts';
import rows from '../../widgets/row-list.module.css';
import { ExactTime } from '../../widgets/time-ago.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './rings-screen.module.css';
import { scheduleWords } from './rule-words.ts';
import { useRules } from './use-rings.ts';

interface RuleListProps {
  readonly mayAct: boolean;
  readonly onEdit: (rule: CheckpointRule) => void;
}

export function RuleList({ mayAct, onEdit }: RuleListProps) {
  const remove = useConfirmedAction({
    question: ({ name }: CheckpointRule) => ({
      title: `Remove the rule ${name}?`,
      body: 'Its checkpoints stay. Rings that follow it are moved by hand.',
      danger: true,
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(removeCheckpointRuleEndpoint, { params: { id: String(id) } }),
    success: ({ name }) => `Rule ${name} removed.`,
    invalidates: [queryKeys.checkpoints.rules(), queryKeys.rings.all()],
  });
  return (
    <section aria-labelledby="rules">
      <h2 id="rules" className={styles['heading']}>
        Rules
      </h2>
      <ResourceList
        query={useRules()}
        what="rules"
        label="Rules"
        empty="No rules yet. Checkpoints are created by hand."
        action={(rule) =>
          mayAct && (
            <div className={styles['buttons']}>
              <RowButton
                label="Edit"
                object={`the rule ${rule.name}`}
                onClick={() => onEdit(rule)}
              />
              <RowButton
                label="Remove"
                object={`the rule ${rule.name}`}
                onClick={() => void remove(rule)}
              />
            </div>
          )
        }
      >
        {({ name, nextTime, keep, problem, ...schedule }) => (
          <>
            <strong>{name}</strong>
            <p>{scheduleWords(schedule)}</p>
            <p className={rows['quiet']}>
              Next on <ExactTime value={nextTime} />, keeps{' '}
              {formatCount(keep, ['checkpoint', 'checkpoints'])}
            </p>
            {problem !== null && <p className={rows['late']}>{problem}</p>}
          </>
        )}
      </ResourceList>
    </section>
  );
}
