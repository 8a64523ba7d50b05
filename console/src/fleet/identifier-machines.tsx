/** Says on how many machines a KB or an advisory is missing, over all records with the name. */

import { useCount } from '../summary/counted-link.tsx';
import { buildFigure, buildMachinesMissing } from '../widgets/build-figure.ts';
import { MissingMachines } from './missing-machines.tsx';

/** Renders nothing until the numbers are known, and where no machine reports. */
export function IdentifierMachines({ identifier }: { readonly identifier: string }) {
  const machines = useCount(buildFigure('machines', 0, []));
  const missing = useCount(buildMachinesMissing(0, identifier, 'misses'));
  const uncertain = useCount(buildMachinesMissing(0, identifier, 'mayMiss'));
  const accepted = useCount(buildMachinesMissing(0, identifier, 'accepts'));
  if (missing === undefined || uncertain === undefined || accepted === undefined) return null;
  if (machines === undefined || machines === 0) return null;
  return (
    <p>
      <MissingMachines counts={{ missing, uncertain, accepted }} named={identifier} />
    </p>
  );
}
