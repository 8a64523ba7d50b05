/** The stages of a test email, with advice for the failed one. */

import type { MailStage, MailTest } from '@patch/contract/mail-endpoints.ts';
import { colour } from '../../theme/tokens.ts';
import { StageList } from '../../widgets/stage-list.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './mail-test-result.module.css';

const names: Readonly<Record<MailStage, string>> = {
  resolve: 'Look up the server',
  connect: 'Connect',
  tls: 'Encrypt',
  greeting: 'Greeting',
  login: 'Sign in',
  accept: 'Send an email',
};

export function MailTestResult({ test }: { readonly test: MailTest }) {
  return (
    <section className={styles['result']} aria-label="Last test" aria-live="polite">
      <p className={styles['head']}>
        <strong style={{ color: colour(test.success ? 'success' : 'danger') }}>
          {test.message}
        </strong>
        <span>
          {test.success ? 'Connection was successfully established' : 'Failed to connect.'}
        </span>
        <span className={styles['time']}>
          tested <TimeAgo value={test.testedAt} />
        </span>
      </p>
      <StageList
        stages={test.stages.map(({ stage, ...result }) => ({ ...result, name: names[stage] }))}
      />
    </section>
  );
}
