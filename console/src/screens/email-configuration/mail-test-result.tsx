/** How far a test mail got, stage by stage, and what to do about the one that failed. */

import { CheckCircleFilled, CloseCircleFilled, MinusCircleOutlined } from '@ant-design/icons-svg';
import type { MailStage, MailStageResult, MailTest } from '@patch/contract/mail-calls.ts';
import type { ReactNode } from 'react';
import { colour } from '../../theme/tokens.ts';
import { Icon } from '../../widgets/icon.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './mail-test-result.module.css';

const names: Readonly<Record<MailStage, string>> = {
  resolve: 'Find the server',
  connect: 'Connect',
  tls: 'Encrypt',
  greeting: 'Greeting',
  login: 'Sign in',
  accept: 'Hand over a mail',
};

const looks: Readonly<Record<MailStageResult['outcome'], { readonly icon: ReactNode; readonly colour: string; readonly word: string }>> = {
  passed: { icon: <Icon of={CheckCircleFilled} />, colour: colour('success'), word: 'passed' },
  failed: { icon: <Icon of={CloseCircleFilled} />, colour: colour('danger'), word: 'failed' },
  skipped: { icon: <Icon of={MinusCircleOutlined} />, colour: colour('textQuiet'), word: 'not tried' },
};

export function MailTestResult({ test }: { readonly test: MailTest }) {
  return (
    <section className={styles['result']} aria-label="Last test" aria-live="polite">
      <p className={styles['head']}>
        <strong style={{ color: colour(test.success ? 'success' : 'danger') }}>{test.message}</strong>
        <span className={styles['time']}>
          tested <TimeAgo value={test.testedAt} />
        </span>
      </p>
      <ol className={styles['stages']}>
        {test.stages.map(({ stage, outcome, words, advice }) => (
          <li key={stage} className={styles['stage']}>
            <span className={styles['name']} style={{ color: looks[outcome].colour }}>
              {looks[outcome].icon} {names[stage]} <span className="visually-hidden">{looks[outcome].word}</span>
            </span>
            <span className={styles['words']}>
              {words}
              {advice === '' ? null : <em className={styles['advice']}>{advice}</em>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
