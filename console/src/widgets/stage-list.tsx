/** Outcome of each stage of a check, with advice for the failed one. */
import { CheckCircleFilled, CloseCircleFilled, MinusCircleOutlined } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { colour } from '../theme/tokens.ts';
import { Icon } from './icon.tsx';
import styles from './stage-list.module.css';

interface Stage {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly words: string;
  /** Empty unless the stage failed. */
  readonly advice: string;
}

const looks: Readonly<
  Record<
    Stage['outcome'],
    { readonly icon: ReactNode; readonly colour: string; readonly word: string }
  >
> = {
  passed: { icon: <Icon of={CheckCircleFilled} />, colour: colour('success'), word: 'passed' },
  failed: { icon: <Icon of={CloseCircleFilled} />, colour: colour('danger'), word: 'failed' },
  skipped: {
    icon: <Icon of={MinusCircleOutlined} />,
    colour: colour('textQuiet'),
    word: 'not tried',
  },
};

export function StageList({ stages }: { readonly stages: readonly Stage[] }) {
  return (
    <ol className={styles['stages']}>
      {stages.map(({ name, outcome, words, advice }) => (
        <li key={name} className={styles['stage']}>
          <span className={styles['name']} style={{ color: looks[outcome].colour }}>
            {looks[outcome].icon} {name}{' '}
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
