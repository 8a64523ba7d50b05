/** The stages of a configuration test. */
import type { SsoStage, SsoTest } from '@patch/contract/sso-endpoints.ts';
import { colour } from '../../theme/tokens.ts';
import { StageList } from '../../widgets/stage-list.tsx';
import styles from './sso-form.module.css';

const names: Readonly<Record<SsoStage, string>> = {
  discovery: 'Discovery document',
  abilities: 'Capabilities',
  keys: 'Signing keys',
  client: 'Client',
};

export function SsoTestResult({ test }: { readonly test: SsoTest }) {
  return (
    <section className={styles['part']} aria-label="Test" aria-live="polite">
      <strong style={{ color: colour(test.success ? 'success' : 'danger') }}>
        {test.success
          ? 'The configuration works, as far as it can be tested without signing in.'
          : 'This configuration does not work.'}
      </strong>
      <StageList
        stages={test.stages.map(({ stage, ...result }) => ({ ...result, name: names[stage] }))}
      />
    </section>
  );
}
