/** Outcome of each stage of a check, with advice for the failed one. */
import { CheckCircleFilled, CloseCircleFilled, MinusCircleOutlined } from '@ant-design/icons-svg';
import { colour } from '../theme/tokens.ts';
import { Icon } from './icon.tsx';
import styles from './stage-list.module.css';

interface Stage {
  readonly name: string;
  readonly outcome: keyof typeof looks;
  readonly words: string;
  /** Empty unless the stage failed. */
  readonly advice: string;
}

const looks = {
  passed: { icon: CheckCircleFilled, colour: colour('success'), word: 'passed' },
  failed: { icon: CloseCircleFilled, colour: colour('danger'), word: 'failed' },
  skipped: { icon: MinusCircleOutlined, colour: colour('textQuiet'), word: 'not tried' },
} as const;

export function StageList({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <ol className={styles['stages']}>
      {stages.map(({ name, outcome, words, advice }) => (
        <li key={name} className={styles['stage']}>
          <span className={styles['name']} style={{ color: looks[outcome].colour }}>
            <Icon of={looks[outcome].icon} /> {name}{' '}
            <span className="visually-hidden">{looks[outcome].word}</span>
          </span>
          <span className={styles['words']}>
            {words}
            {advice === '' ? null : <em className={styles['advice']}>{advice}</em>}
          </span>
        </li>
      ))}
    </ol>
  );
}
