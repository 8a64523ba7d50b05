/** Plans the updates to install on a Windows machine. */
import type { WindowsUpdate } from '../judgement/machine-fixes.ts';
import { revisionOn, windowsBuild } from '../judgement/windows-builds.ts';
import { reachable } from '../judgement/windows-verdicts.ts';
import { byKey, type InstallStep, toTarget } from './record-closers.ts';

const cumulativeLines: readonly string[] = ['Cumulative update', 'Monthly rollup'];

/** Returns the planned updates, each with the missing KBs that it includes: those it replaces, and those without a known successor. */
export function planWindowsSteps(missing: readonly WindowsUpdate[]): readonly InstallStep[] {
  const planned = planWindows(missing.toSorted(byKey));
  const newer = new Map(missing.map(({ kb, supersededBy }) => [kb, supersededBy]));
  const kbs = new Set(planned.map(({ kb }) => kb));
  const cumulative = planned.filter(({ line }) => cumulativeLines.includes(line));
  const included = new Map(planned.map(({ kb }) => [kb, [kb]]));
  for (const { kb } of missing.filter((update) => !kbs.has(update.kb))) {
    const successors = [...reachable(kb, newer)].filter((successor) => kbs.has(successor));
    const including = successors.length > 0 ? successors : cumulative.map((update) => update.kb);
    for (const target of including) included.get(target)?.push(kb);
  }
  return planned.map(({ key, kb }) => ({
    key,
    targets: (included.get(kb) ?? []).map((own) =>
      toTarget({ name: `KB${own}`, architecture: null }),
    ),
  }));
}

/**
 * Plans the missing updates of a Windows product that no other missing update includes: the highest build of cumulative lines,
 * the rollup instead of security-only and Internet Explorer updates, and otherwise updates that no missing one replaces.
 */
export function planWindows(missing: readonly WindowsUpdate[]): readonly WindowsUpdate[] {
  const kbs = new Set(missing.map(({ kb }) => kb));
  const rest = missing.filter(({ supersededBy }) => !supersededBy.some((kb) => kbs.has(kb)));
  const rollup = rest.some(({ line }) => line === 'Monthly rollup');
  const isIncluded = (update: WindowsUpdate) =>
    (rollup && ['Security only', 'Internet Explorer'].includes(update.line)) ||
    rest.some((other) => includes(other, update));
  return oncePerKb(rest.filter((update) => !isIncluded(update)));
}

const includedLines: readonly string[] = [
  'Cumulative update',
  'Monthly rollup',
  'Out-of-band',
  'Security only',
  'Security update',
  'Standalone update',
  'Hotpatch',
];

/** Compares builds of one branch, for lines that a cumulative update includes. */
function includes(newer: WindowsUpdate, older: WindowsUpdate): boolean {
  if (!cumulativeLines.includes(newer.line)) return false;
  if (!includedLines.includes(older.line)) return false;
  return older.fixedBuilds.some((text) => {
    const build = windowsBuild(text);
    if (build === null || build.revision === null) return false;
    return (revisionOn(build.branch, newer.fixedBuilds) ?? 0) > build.revision;
  });
}

function oncePerKb(updates: readonly WindowsUpdate[]): readonly WindowsUpdate[] {
  return [...new Map(updates.map((update) => [update.kb, update])).values()];
}
