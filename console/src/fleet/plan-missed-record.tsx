/** Offers a plan for the machines that miss a record, beside their numbers. The dialog loads when the button is first shown. */
import type { MachineExposure } from '@patch/contract/fleet/machine-endpoints.ts';
import { lazyAntd } from '../widgets/lazy-antd.tsx';

const PlanUpdates = lazyAntd(() => import('./plan-updates.tsx'), 'PlanUpdates', { wheel: true });

interface PlanMissedRecordProps {
  readonly counts: Pick<MachineExposure, 'missing'>;
  /** A CVE, or the value of the criterion for a record. */
  readonly named: string;
}

/** Renders nothing where no machine certainly misses it. */
export function PlanMissedRecord({ counts, named }: PlanMissedRecordProps) {
  return counts.missing === 0 ? null : (
    <p>
      <PlanUpdates criteria="" records={[named]} small />
    </p>
  );
}
