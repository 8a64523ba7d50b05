/** The option of the command box that answers how many machines miss what was typed, and opens the list of them. */
import { getList } from '@patch/catalogue/lists.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { MachineExposure } from '@patch/contract/fleet/machine-endpoints.ts';
import { useMachineExposure } from '../fleet/use-fleet.ts';
import { buildMachinesMissing } from '../widgets/build-figure.ts';
import { formatNumber, inflect } from '../widgets/format-number.ts';
import { listPath } from '../widgets/list-paths.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import { type Go, type Jump, renderFound } from './jump.tsx';

const machines = getList('machines');

/** @param identifier A CVE, a KB or an advisory that records have; empty for none. */
export function useExposureJump(identifier: string, go: Go): readonly Jump[] {
  const { data } = useMachineExposure(identifier);
  if (identifier === '' || data === undefined) return [];
  const { criteria } = buildMachinesMissing(data.missing, identifier);
  const search = data.machines === 0 ? {} : { criteria: writeCriteria(machines, criteria) };
  return [
    {
      key: 'exposure',
      run: () => go(listPath(machines), search),
      content: renderFound(
        <VendorMark of={machines.key} size={20} />,
        ...describe(data, identifier),
        machines.shortLabel,
      ),
    },
  ];
}

/** Returns '12 of 390 machines' and 'miss CVE-2024-3094, 3 may miss it, 8 cannot be judged': a narrow screen cuts the end. */
function describe(exposure: MachineExposure, identifier: string): [number: string, rest: string] {
  const { machines: all, missing, uncertain, notCompared, notJudged, beingJudged } = exposure;
  if (all === 0) return ['No machine reports', 'Add machines'];
  const unknown = notCompared + notJudged + beingJudged;
  return [
    `${formatNumber(missing)} of ${formatNumber(all)} ${inflect(all, ['machine', 'machines'])}`,
    [
      `${inflect(missing, ['misses', 'miss'])} ${identifier}`,
      ...(uncertain > 0 ? [`${formatNumber(uncertain)} may miss it`] : []),
      ...(unknown > 0 ? [`${formatNumber(unknown)} cannot be judged`] : []),
    ].join(', '),
  ];
}
