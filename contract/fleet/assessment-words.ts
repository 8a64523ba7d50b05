/** Texts that state how reliable an assessment is, for the console, the command line and files. */
import type { Assessment, MachineJudgement } from './assessment-endpoint.ts';

type Answer = Pick<
  Assessment,
  | 'missing'
  | 'verdicts'
  | 'notJudged'
  | 'sources'
  | 'system'
  | 'advice'
  | 'machine'
  | 'unreadableLines'
>;

const number = (count: number) => count.toLocaleString('en');

const records = (count: number) => `${number(count)} ${count === 1 ? 'record' : 'records'}`;

/** Formats a day as 12 Feb 2025: vendors' days have no time, so they are the same in every zone. */
export const dayText = (time: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(time);

/** Returns 'Judged with Debian data up to 12 Feb 2025 (Silent for 276 days, usually every 2 days)'. */
export function sourceSentence(source: Assessment['sources'][number]): string {
  const { concern } = source;
  return `Judged with ${dataText(source)}${concern === null ? '' : ` (${concern})`}`;
}

/** Returns 'Debian data up to 12 Feb 2025'. */
const dataText = ({ label, upTo }: Pick<Assessment['sources'][number], 'label' | 'upTo'>): string =>
  `${label} data ${upTo === null ? 'without a date' : `up to ${dayText(upTo)}`}`;

/** Returns one sentence for each source; without sources nothing was compared. */
export const sourceSentences = ({
  sources,
  notJudged,
}: Pick<Assessment, 'sources' | 'notJudged'>): readonly string[] =>
  sources.length === 0
    ? [`Judged with no data: ${unjudgedCause({ notJudged })}`]
    : sources.map(sourceSentence);

/** Returns the words of the reason for which nothing of the machine's system was compared. */
export function unjudgedCause({ notJudged }: Pick<Assessment, 'notJudged'>): string {
  const found = notJudged.find(({ reason }) => systemReasons.includes(reason));
  return (found && unjudgedWords[found.reason]) ?? 'nothing of its system could be compared';
}

/** Reasons that concern the system, not a package, a KB or an application. */
const systemReasons: readonly string[] = [
  'machineUnknown',
  'productUnstated',
  'nothingListed',
  'releaseNotInCatalogue',
];

/** Returns whether an empty list of missing records proves that nothing is missing. */
export function isProven({
  missing,
  verdicts,
  sources,
  system,
  leftOut,
}: Pick<MachineJudgement, 'verdicts' | 'sources' | 'system' | 'leftOut'> &
  Pick<Assessment, 'missing'>): boolean {
  return (
    missing.length === 0 &&
    verdicts.notJudged + verdicts.uncertain === 0 &&
    system !== 'notJudged' &&
    leftOut.length === 0 &&
    sources.length > 0 &&
    sources.every(({ concern }) => concern === null)
  );
}

/** Returns whether any part of the machine was compared. */
export const isJudged = ({ verdicts, system }: Pick<Assessment, 'verdicts' | 'system'>): boolean =>
  verdicts.compared > 0 || verdicts.noAdvisory > 0 || (system !== null && system !== 'notJudged');

/** Advice that does not affect verdicts. */
const harmless: readonly string[] = ['noKernel'];

/** Returns whether there may be more missing records than were found. */
export const isWeak = ({ advice, unreadableLines, verdicts }: Answer): boolean =>
  unreadableLines > 0 ||
  verdicts.notJudged > 0 ||
  advice.some(({ kind }) => !harmless.includes(kind));

/** Returns '411 packages: 130 compared, 263 without an advisory, 18 not judged'. */
export function comparedText({
  verdicts,
  machine,
}: Pick<MachineJudgement, 'verdicts' | 'machine'>): string {
  const { packages, kbs, applications } = machine;
  const parts = [
    [packages, 'package'],
    [kbs, 'installed KB'],
    [applications, 'application'],
  ] as const;
  const amounts = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${number(count)} ${word}${count === 1 ? '' : 's'}`);
  const read = amounts.length === 0 ? 'The system' : amounts.join(', ');
  const without =
    verdicts.noAdvisory === 0 ? '' : ` ${number(verdicts.noAdvisory)} without an advisory,`;
  return `${read}: ${number(verdicts.compared)} compared,${without} ${number(verdicts.notJudged)} not judged`;
}

/** Never states that nothing is missing when something was not judged or a source is stale. */
export function headline(answer: Assessment): string {
  const { missing, notJudged, machine } = answer;
  const certain = missing.filter(({ state }) => state === 'missing').length;
  if (certain > 0)
    return `${isWeak(answer) ? 'At least ' : ''}${number(certain)} ${certain === 1 ? 'patch' : 'patches'} missing`;
  if (!isJudged(answer))
    return notJudged.some(({ reason }) => reason === 'machineUnknown')
      ? 'The machine is not recognised'
      : 'Not judged';
  if (machine.endOfLife !== null) return 'No longer supported by its vendor';
  return isProven(answer)
    ? 'Nothing is missing of what this repository knows'
    : 'No missing patch could be proven';
}

/** Returns 'At least 3 patches missing, judged with Debian data up to 12 Feb 2025'. */
export function verdictSentence(answer: Assessment): string {
  const { sources } = answer;
  if (sources.length === 0 || !isJudged(answer)) return headline(answer);
  const data = new Intl.ListFormat('en-GB').format(sources.map(dataText));
  return `${headline(answer)}, judged with ${data}`;
}

/** Returns '47 updates close all 118', or '47 updates close 110 of 118'. */
export function installText(
  bands: readonly Pick<Assessment['bands'][number], 'missing' | 'closed'>[],
  updates: number,
): string {
  const missing = bands.reduce((sum, band) => sum + band.missing, 0);
  const closed = bands.reduce((sum, band) => sum + band.closed, 0);
  const amount = closed < missing ? `${number(closed)} of` : missing > 1 ? 'all' : '';
  const target = missing === 1 ? 'it' : number(missing);
  return `${number(updates)} ${updates === 1 ? 'update closes' : 'updates close'} ${amount} ${target}`.replace(
    '  ',
    ' ',
  );
}

export const unjudgedWords: Readonly<Record<string, string>> = {
  machineUnknown: 'the text does not say which system the machine runs',
  productUnstated: 'the text does not say whether the build is a client’s or a server’s',
  nothingListed: 'the text lists nothing that is installed',
  releaseNotInCatalogue: 'this repository has no records of the release',
  originUnknown:
    'no record names the package, and its version does not show that the distribution built it',
  sourceUnknown: 'the list has no source packages, and no record names the binary one',
  architectureUnknown: 'records name the package for other architectures alone',
  moduleUnknown: 'records name the package in other module streams alone',
  channelUnknown: 'records name builds of other channels alone (UEK, Ksplice, FIPS, plain)',
  otherRepository: 'the build is of a repository that is not in the catalogue',
  otherRelease: 'the build is of another release',
  cutColumns: 'the tool cut the name or the version',
  kbUnknown: 'no record of the product names the KB',
  applicationUnknown: 'no list knows the application',
  versionUnknown: 'the version is not known',
};

const shownNames = 5;

/** Returns '18 not judged: no record of the release names the package (acl, attr, …).' */
export function notJudgedText({ reason, count, names }: Assessment['notJudged'][number]): string {
  const words = `${count.toLocaleString('en')} not judged: ${unjudgedWords[reason] ?? reason}`;
  if (names.length === 0) return `${words}.`;
  const more = count > shownNames ? ', …' : '';
  return `${words} (${names.slice(0, shownNames).join(', ')}${more}).`;
}

/** Returns '263 without an advisory: none of Debian data up to 12 Feb 2025 names the package (acl, attr, …).'; null without any. */
export function noAdvisoryText({
  noAdvisory: { count, names, sources },
}: Pick<MachineJudgement, 'noAdvisory'>): string | null {
  if (count === 0) return null;
  const data = new Intl.ListFormat('en-GB').format(sources.map(dataText));
  const more = count > shownNames ? ', …' : '';
  return `${number(count)} without an advisory: no record of ${data} names the package (${names.slice(0, shownNames).join(', ')}${more}).`;
}

/** Returns a sentence for each group that was not compared. */
export const scopeTexts = (
  judgement: Pick<MachineJudgement, 'noAdvisory' | 'notJudged' | 'leftOut'>,
): readonly string[] => {
  const without = noAdvisoryText(judgement);
  return [
    ...judgement.notJudged.map(notJudgedText),
    ...(without === null ? [] : [without]),
    ...judgement.leftOut.map(leftOutText),
  ];
};

const leftOutWords: Readonly<Record<string, string>> = {
  retracted: 'the vendor took them back',
  livepatch: 'live patches are not compared by version',
  hotpatch: 'hotpatches are for enrolled machines',
  componentNotShown: 'the inventory does not show whether the component is installed',
  versionsNotComparable: 'the versions cannot be compared',
  otherBranch: 'they are builds of other releases of Windows',
};

export const leftOutText = ({ reason, count }: Assessment['leftOut'][number]): string =>
  `${records(count)} left out: ${leftOutWords[reason] ?? reason}.`;
