/** How the numbers of a report are called, on its page and in its email. */
import { type GroupReport, type PatchedBand, silentDays } from './group-report-endpoint.ts';

type FigureName = {
  [Name in keyof GroupReport]: GroupReport[Name] extends GroupReport['machines'] ? Name : never;
}[keyof GroupReport];

export interface NamedFigure {
  readonly name: FigureName;
  readonly label: string;
}

/** Also in the subject of the email, which else would tell of a machine that misses nothing. */
export const mayMissFigure: NamedFigure = {
  name: 'machinesMayMiss',
  label: 'may miss something, or need a subscription',
};

export const exposureFigures: readonly NamedFigure[] = [
  { name: 'machines', label: 'machines' },
  { name: 'machinesMissing', label: 'miss something' },
  { name: 'machinesExploited', label: 'miss a fix that is known exploited' },
  { name: 'machinesCritical', label: 'miss a critical fix' },
  { name: 'machinesOverdue', label: 'are overdue' },
  { name: 'machinesAccepted', label: 'have accepted records' },
  mayMissFigure,
  { name: 'missingNothing', label: 'miss nothing' },
];

export const unknownFigures: readonly NamedFigure[] = [
  { name: 'notJudged', label: 'not judged' },
  { name: 'beingJudged', label: 'being judged' },
  { name: 'silent', label: `silent for ${silentDays} days` },
];

export const unknownWords =
  'Of machines that are not judged the catalogue has no records of the release, or their reports state too little. Of silent machines the numbers are those of their last report. Neither count as missing nothing.';

export const patchedBands: readonly {
  readonly band: PatchedBand['band'];
  readonly label: string;
}[] = [
  { band: 'exploited', label: 'Known exploited' },
  { band: 'serious', label: 'Critical and important' },
  { band: 'others', label: 'All others' },
];

export const noSourceWords = 'No source is followed, so that nothing is known of new patches.';
export const unreliableWords =
  'What these sources published since is not known, so that machines may miss more than the numbers say.';
