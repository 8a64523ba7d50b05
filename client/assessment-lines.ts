/** Formats an assessment as lines for a terminal or a build log. */
import type { Assessment, MissingRecord } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  comparedText,
  installText,
  noAdvisoryText,
  sourceSentences,
  unjudgedWords,
  verdictSentence,
} from '@patch/contract/fleet/assessment-words.ts';
import { bandLabels } from '@patch/contract/fleet/missing-bands.ts';
import { countedMissing } from '@patch/contract/fleet/missing-counts.ts';

/** Removes control characters from vendors' words, which would reach the terminal. */
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, ' ');

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

const leftOutWords: Readonly<Record<string, string>> = {
  retracted: 'because the vendor took the record back',
  livepatch: 'because live patches are not compared by version',
  hotpatch: 'because hotpatches are for enrolled machines',
  componentNotShown: 'because the inventory does not show whether the component is installed',
  versionsNotComparable: 'because the versions cannot be compared',
  otherBranch: 'because they are builds of other releases of Windows',
};

function rebootLines({ rebootPending, restartDue }: Assessment['machine']): readonly string[] {
  if (rebootPending !== true) return [];
  const reason = restartDue === true ? 'the system says so' : 'an older kernel runs';
  return [`A reboot is pending: ${reason}.`];
}

export function assessmentLines(answer: Assessment): readonly string[] {
  const { sources, machine, missing, notJudged, leftOut, noFix, advice } = answer;
  const without = noAdvisoryText(answer);
  const filterByState = (state: MissingRecord['state']) =>
    missing.filter((record) => record.state === state);
  return [
    verdictLine(answer),
    ...(sources.length === 0 ? sourceSentences(answer).map((one) => `${one}.`) : []),
    ...sources.flatMap(({ label, concern }) => (concern === null ? [] : [`${label}: ${concern}.`])),
    machineLine(machine),
    `${comparedText(answer)}.`,
    ...(machine.endOfLife === null
      ? []
      : [
          `Its vendor ended its support on ${new Date(machine.endOfLife).toISOString().slice(0, 10)}.`,
        ]),
    ...rebootLines(machine),
    ...filterByState('missing').map(recordLine),
    ...filterByState('uncertain').map(
      (record) => `${recordLine(record)} (uncertain: ${record.reason ?? ''})`,
    ),
    ...filterByState('needsSubscription').map(
      (record) => `${recordLine(record)} (needs a subscription)`,
    ),
    ...installLines(answer),
    ...(noFix.length === 0
      ? []
      : [`No fix published: ${noFix.map((one) => `${one.package} ${one.cve}`).join(', ')}`]),
    ...notJudged.map(
      (one) =>
        `Not judged: ${count(one.count, 'item')}, because ${unjudgedWords[one.reason] ?? one.reason}${namesText(one)}.`,
    ),
    ...(without === null ? [] : [without]),
    ...leftOut.map(
      (one) =>
        `Left out: ${count(one.count, 'record')}, ${leftOutWords[one.reason] ?? one.reason}.`,
    ),
    ...advice.map(({ text, command }) => (command === null ? text : `${text} Run: ${command}`)),
    ...(answer.unreadableLines === 0
      ? []
      : [`${count(answer.unreadableLines, 'line')} could not be read.`]),
  ].map(plain);
}

const shownNames = 5;

function namesText({ count: all, names }: Assessment['notJudged'][number]): string {
  if (names.length === 0) return '';
  const more = all > shownNames ? ' …' : '';
  return `: ${names.slice(0, shownNames).join(', ')}${more}`;
}

function machineLine({ distribution, release, build }: Assessment['machine']) {
  const name = [distribution ?? 'Unknown machine', release, build].filter((word) => word !== null);
  return name.join(' ');
}

function verdictLine(answer: Assessment): string {
  const parts = countedMissing(answer.counts).map(([amount, words]) => `${amount} ${words}`);
  return `${verdictSentence(answer)}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}

function recordLine({ severity, exploited, identifier, title, evidence }: MissingRecord): string {
  const [first] = evidence;
  const versions =
    first === undefined ? '' : `  ${first.name} ${first.installed ?? ''} -> ${first.fixed ?? ''}`;
  const more = evidence.length > 1 ? ` and ${evidence.length - 1} more` : '';
  const mark = exploited === true ? '! ' : '  ';
  return `${mark}${(severity ?? '').padEnd(11)} ${identifier ?? ''}  ${title ?? ''}${versions}${more}`;
}

function installLines({ bands, install }: Assessment): readonly string[] {
  return bands.flatMap(({ band, missing, closed, install: names, command }) => {
    if (names.length === 0) return [];
    const head = `${bandLabels[band]}: ${installText([{ missing, closed }], names.length)}:`;
    if (command !== null) return [head, ...command.split('\n').map((line) => `  ${line}`)];
    const steps = install.filter(({ identifier }) => names.includes(identifier));
    return [head, ...steps.map((step) => `  ${step.command ?? step.identifier}`)];
  });
}
