/** Judges which updates of a Windows product a machine misses, from the graph of replacements and the builds of updates. */
import type { Machine } from '../machine.ts';
import type {
  FixEvidence,
  RecordVerdict,
  UncertainReason,
  WindowsUpdate,
} from './machine-fixes.ts';
import { revisionOn, windowsBuild } from './windows-builds.ts';
import { withSubscriptions } from './windows-support.ts';

/** An update of these lines includes all updates of these lines with lower builds. */
const cumulativeLines: readonly string[] = ['Cumulative update', 'Monthly rollup'];
/** Lines whose updates cumulative updates of a higher build include. */
const includedLines: readonly string[] = [
  ...cumulativeLines,
  'Out-of-band',
  'Preview',
  'Security update',
  'Standalone update',
  'Hotpatch',
];
/** A machine with an update of these lines has all fixes of earlier days. */
const completeLines: readonly string[] = [...cumulativeLines, 'Out-of-band', 'Preview'];
/** Alternatives to a monthly rollup, which includes them: one of both is enough. */
const alternativeLines: readonly string[] = ['Security only', 'Internet Explorer'];
/** Installed beside cumulative updates, which do not include them: only the list of installed updates shows them. */
const separateLines: readonly string[] = ['Servicing stack', 'Separate update'];

type WindowsMachine = Pick<Machine, 'build' | 'kbs' | 'unlistedKbs'> &
  Partial<Pick<Machine, 'distribution' | 'architecture'>>;

/**
 * Returns verdicts by update key.
 * @param updates all updates of the machine's product, not a part of them.
 */
export function judgeWindows(
  machine: WindowsMachine,
  updates: readonly WindowsUpdate[],
): ReadonlyMap<string, RecordVerdict> {
  const state = readState(machine, updates);
  const verdicts = new Map(updates.map((update) => [update.key, judgeUpdate(update, state)]));
  return withSubscriptions(machine, updates, verdicts);
}

interface WindowsState {
  /** The branch of the releases that share their updates. */
  readonly branch: string;
  /** 10.0.17763 */
  readonly release: string;
  /** The fourth number, from `ver` or from the installed updates; null when unknown. */
  readonly revision: number | null;
  /** True when the text states the revision; otherwise it is that of the listed updates. */
  readonly isRevisionStated: boolean;
  /** KBs that are installed or whose build is reached, and all that they replace. */
  readonly coveredKbs: ReadonlySet<string>;
  /** The highest number of an installed KB that no update of the product has. */
  readonly highestUnknown: number;
  /** The day of the newest installed monthly rollup; null without one. */
  readonly newestRollup: number | null;
  /** The day of the newest installed cumulative update; null when unknown. */
  readonly coveredUntil: number | null;
  /** Returns the day of an update, or a bound when no document states the day; null without a bound. */
  readonly getLatestDay: (update: WindowsUpdate) => number | null;
  /** Hotpatches that are installed, according to their KBs or builds. */
  readonly hotpatches: readonly WindowsUpdate[];
  /** Revisions of the branch's cumulative updates, ascending. */
  readonly revisions: readonly number[];
  /** Null when the list of installed updates is reliable. */
  readonly listDoubt: UncertainReason | null;
}

function readState(machine: WindowsMachine, updates: readonly WindowsUpdate[]): WindowsState {
  const { build, kbs, unlistedKbs = 0 } = machine;
  const own = windowsBuild(build);
  const branch = own?.branch ?? '';
  const getRevision = ({ fixedBuilds }: WindowsUpdate) => revisionOn(branch, fixedBuilds);
  const installed = new Set(kbs);
  const known = new Set(updates.flatMap(({ kb, supersededBy }) => [kb, ...supersededBy]));
  const listed = updates
    .filter(({ kb }) => installed.has(kb))
    .filter(({ line }) => includedLines.includes(line) && line !== 'Standalone update')
    .map(getRevision);
  const revision = own?.revision ?? highest(listed);
  const complete = updates.filter(({ line }) => completeLines.includes(line));
  const isReached = (update: WindowsUpdate) =>
    revision !== null && revision >= (getRevision(update) ?? Number.POSITIVE_INFINITY);
  const present = new Set([...installed, ...complete.filter(isReached).map(({ kb }) => kb)]);
  const coveredKbs = present.union(replacedBy(present, updates));
  const rollups = updates.filter(({ line, kb }) => line === 'Monthly rollup' && installed.has(kb));
  return {
    branch,
    release: build?.split('.').slice(0, 3).join('.') ?? '',
    revision,
    isRevisionStated: own?.revision !== null,
    coveredKbs,
    highestUnknown: kbs.reduce(
      (high, kb) => (known.has(kb) ? high : Math.max(high, Number(kb))),
      0,
    ),
    newestRollup: highest(rollups.map(({ releaseDate }) => releaseDate)),
    coveredUntil: highest(
      complete.filter(({ kb }) => coveredKbs.has(kb)).map((one) => one.releaseDate),
    ),
    getLatestDay: latestDays(updates),
    hotpatches: updates.filter(
      (one) =>
        one.line === 'Hotpatch' &&
        (installed.has(one.kb) || (revision !== null && getRevision(one) === revision)),
    ),
    revisions: complete.flatMap((one) => getRevision(one) ?? []).toSorted((a, b) => a - b),
    listDoubt: unlistedKbs > 0 ? 'unlistedHotfixes' : kbs.length === 0 ? 'revisionUnstated' : null,
  };
}

/**
 * An update without a day is bounded by this many updates with higher numbers, plus the days by which a number may precede its
 * release.
 */
const witnesses = 3;
const dayMs = 86_400_000;
const numberTakenAheadMs = 90 * dayMs;

/** KB numbers rise with time, though not strictly. */
function latestDays(updates: readonly WindowsUpdate[]): WindowsState['getLatestDay'] {
  const dated = [...new Map(updates.map((one) => [Number(one.kb), one.releaseDate]))]
    .flatMap(([number, day]) => (day === null ? [] : [{ number, day }]))
    .toSorted((a, b) => a.number - b.number);
  return ({ kb, releaseDate }) => {
    if (releaseDate !== null) return releaseDate;
    const next = dated.filter(({ number }) => number > Number(kb)).slice(0, witnesses);
    return next.length < witnesses
      ? null
      : Math.max(...next.map(({ day }) => day)) + numberTakenAheadMs;
  };
}

const highest = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((high, one) => (one === null ? high : Math.max(high ?? one, one)), null);

/** Returns updates that an installed one replaces, directly or through others that need not be installed. */
function replacedBy(
  installed: ReadonlySet<string>,
  updates: readonly WindowsUpdate[],
): Set<string> {
  const replaces = new Map<string, string[]>();
  for (const { kb, supersededBy } of updates) {
    for (const newer of supersededBy) replaces.set(newer, [...(replaces.get(newer) ?? []), kb]);
  }
  const reached = new Set<string>();
  const open = [...installed];
  for (let kb = open.pop(); kb !== undefined; kb = open.pop()) {
    for (const older of replaces.get(kb) ?? []) {
      if (reached.has(older)) continue;
      reached.add(older);
      open.push(older);
    }
  }
  return reached;
}

function judgeUpdate(update: WindowsUpdate, state: WindowsState): RecordVerdict {
  const { line, kb, fixedBuilds } = update;
  if (state.coveredKbs.has(kb) || line === 'Preview') return notMissing;
  if (alternativeLines.includes(line) && isCoveredByRollup(update, state)) return notMissing;
  if (separateLines.includes(line)) return judgeWithoutBuild(update, state);
  if (!includedLines.includes(line) && line !== 'Security only')
    return { kind: 'notJudged', reason: 'componentNotShown' };
  const fixed = revisionOn(state.branch, fixedBuilds);
  if (fixed !== null) return judgeByBuild(update, fixed, state);
  if (fixedBuilds.some((text) => windowsBuild(text) !== null))
    return { kind: 'notJudged', reason: 'otherBranch' };
  if (line === 'Hotpatch') return { kind: 'notJudged', reason: 'hotpatch' };
  return isCoveredByDay(update, state)
    ? notMissing
    : { kind: 'uncertain', reason: 'updateWithoutBuild', evidence: evidence(update, null, state) };
}

const notMissing: RecordVerdict = { kind: 'notMissing' };

/** Compares by month: rollups include the fixes of all earlier months. */
const isCoveredByRollup = (update: WindowsUpdate, { newestRollup, getLatestDay }: WindowsState) =>
  isNotAfter(getLatestDay(update), newestRollup);

/** When no document states the update's build, the day of a later installed update bounds it. */
function isCoveredByDay(
  update: WindowsUpdate,
  { coveredUntil, getLatestDay }: WindowsState,
): boolean {
  const day = getLatestDay(update);
  // A stand-alone update follows the cumulative update of its day.
  const first = update.line === 'Standalone update' && day !== null ? day + dayMs : day;
  return isNotAfter(first, coveredUntil);
}

const isNotAfter = (day: number | null, until: number | null) =>
  day !== null && until !== null && day <= until;

function judgeByBuild(update: WindowsUpdate, fixed: number, state: WindowsState): RecordVerdict {
  const { revision, isRevisionStated, listDoubt, hotpatches, highestUnknown } = state;
  const found = evidence(update, fixed, state);
  if (revision !== null && revision >= fixed) return notMissing;
  if (hotpatches.some((one) => isAlternative(one, update, fixed, state))) return notMissing;
  if (update.line === 'Hotpatch' && hotpatches.length === 0)
    return { kind: 'notJudged', reason: 'hotpatch' };
  if (isRevisionStated) return { kind: 'missing', evidence: found };
  if (listDoubt !== null) return { kind: 'uncertain', reason: listDoubt, evidence: found };
  // Windows lists the newest installed cumulative update: an unknown newer one may include this update.
  return revision === null && highestUnknown > Number(update.kb)
    ? { kind: 'uncertain', reason: 'unknownInstalledKb', evidence: found }
    : { kind: 'missing', evidence: found };
}

/** A hotpatch and the cumulative update of its month fix the same vulnerabilities; that of the hotpatch has the next higher build. */
function isAlternative(
  hotpatch: WindowsUpdate,
  update: WindowsUpdate,
  fixed: number,
  { branch, revisions }: WindowsState,
): boolean {
  const own = revisionOn(branch, hotpatch.fixedBuilds);
  if (own === null || own > fixed) return false;
  if (hotpatch.releaseDate !== null && update.releaseDate !== null)
    return toMonth(hotpatch.releaseDate) === toMonth(update.releaseDate);
  return !revisions.some((revision) => revision > own && revision < fixed);
}

const toMonth = (time: number) => new Date(time).toISOString().slice(0, 7);

/** Judges by the list of installed updates alone. */
function judgeWithoutBuild(update: WindowsUpdate, state: WindowsState): RecordVerdict {
  const found = evidence(update, null, state);
  // Windows Update offers these only to machines that use the part: Secure Boot, a recovery partition.
  const partDoubt = update.line === 'Separate update' ? 'partNotShown' : null;
  const doubt = state.listDoubt ?? partDoubt;
  return doubt === null
    ? { kind: 'missing', evidence: found }
    : { kind: 'uncertain', reason: doubt, evidence: found };
}

/** Shows two builds of one release, or whether the KB is listed. */
function evidence(
  { kb }: WindowsUpdate,
  fixed: number | null,
  { release, revision }: WindowsState,
): readonly FixEvidence[] {
  const installed = revision === null ? release : `${release}.${revision}`;
  return [
    {
      name: `KB${kb}`,
      architecture: null,
      installed: fixed === null ? 'not listed' : installed,
      fixed: fixed === null ? `KB${kb}` : `${release}.${fixed}`,
      install: null,
    },
  ];
}
