/** Says on how many machines a KB or an advisory is missing, over all records with the name. */
import { LatePlanUpdates } from './late-plan-updates.ts';
import { MissingMachines } from './missing-machines.tsx';
import { useMachineExposure } from './use-fleet.ts';

/** Renders nothing until the numbers are known. */
export function IdentifierMachines({ identifier }: { readonly identifier: string }) {
  const { data } = useMachineExposure(identifier);
  return data === undefined ? null : (
    <>
      <p>
        <MissingMachines counts={data} named={identifier} />
      </p>
      {data.missing > 0 && (
        <p>
          <LatePlanUpdates criteria="" records={[identifier]} small />
        </p>
      )}
    </>
  );
}
