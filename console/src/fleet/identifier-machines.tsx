/** Says on how many machines a KB or an advisory is missing, over all records with the name. */
import { MissingMachines } from './missing-machines.tsx';
import { PlanMissedRecord } from './plan-missed-record.tsx';
import { useMachineExposure } from './use-fleet.ts';

/** Renders nothing until the numbers are known. */
export function IdentifierMachines({ identifier }: { readonly identifier: string }) {
  const { data } = useMachineExposure(identifier);
  return data === undefined ? null : (
    <>
      <p>
        <MissingMachines counts={data} named={identifier} />
      </p>
      <PlanMissedRecord counts={data} named={identifier} />
    </>
  );
}
