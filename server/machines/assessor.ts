/** Assesses machines: small inventories where they arrive, large ones in a thread, so that they delay nobody. */

import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import {
  comparedText,
  noAdvisoryText,
  sourceSentences,
} from '@patch/contract/fleet/assessment-words.ts';
import { csvLines } from '../platform/file-export/csv-lines.ts';
import {
  type AssessmentParts,
  assessMachine,
  assessPage,
  type InventoryPage,
} from './assess-machine.ts';
import type { AssessedMachine } from './machine-findings.ts';

type Format = 'json' | 'csv';
type Page = Parameters<typeof assessPage>[2];

export interface Assessor {
  /** Assesses the machine that a text describes. Returns the reply as text, which is cheaper to pass between threads. */
  assessText(text: string, format: Format, signal: AbortSignal): Promise<string>;
  /** Assesses a machine that was reported. */
  assessPage(assessed: AssessedMachine, page: Page, signal: AbortSignal): Promise<InventoryPage>;
}

/** Texts up to this length, in UTF-16 units, are read and judged in less than 50 ms. */
const maxTextHere = 64 * 1024;
/** Inventories up to this number of packages, updates and applications are judged in less than 50 ms. */
const maxItemsHere = 1000;

export const assessHere = (parts: AssessmentParts): Assessor => ({
  async assessText(text, format, signal) {
    const answer = await assessMachine(parts, text, signal);
    return format === 'json' ? JSON.stringify(answer) : toCsv(answer);
  },
  assessPage: (assessed, page, signal) => assessPage(parts, assessed, page, signal),
});

export function assessBySize(here: Assessor, thread: Assessor): Assessor {
  const choose = (isSmall: boolean) => (isSmall ? here : thread);
  return {
    assessText: (text, format, signal) =>
      choose(text.length <= maxTextHere).assessText(text, format, signal),
    assessPage(assessed, page, signal) {
      const { packages, kbs, applications } = assessed.machine;
      const items = packages.length + kbs.length + applications.length;
      return choose(items <= maxItemsHere).assessPage(assessed, page, signal);
    },
  };
}

const columns = [
  'Identifier',
  'Title',
  'List',
  'Severity',
  'Exploited',
  'CVSS',
  'EPSS',
  'Release date',
  'State',
  'Reason',
  'Evidence',
  'Install instead',
];

/** Writes CSV with a byte order mark for spreadsheets. It begins with rows about the sources and what was compared with them. */
function toCsv(answer: Assessment): string {
  const { missing, noFix } = answer;
  const without = noAdvisoryText(answer);
  const head = [
    ...sourceSentences(answer),
    comparedText(answer),
    ...(without === null ? [] : [without]),
  ].map((sentence) => [sentence, ...columns.slice(1).map(() => '')]);
  const rows = missing.map((record) => [
    record.identifier ?? '',
    record.title ?? '',
    getList(record.list as never).label,
    record.severity ?? '',
    record.exploited === null ? '' : record.exploited ? 'Yes' : 'No',
    record.cvss ?? '',
    record.epss ?? '',
    record.releaseDate === null ? '' : new Date(record.releaseDate).toISOString(),
    record.state,
    record.reason ?? '',
    record.evidence
      .map(({ name, installed, fixed }) => `${name}: ${installed ?? ''} → ${fixed ?? ''}`)
      .join('; '),
    record.supersededBy.join('; '),
  ]);
  const unfixed = noFix.map(({ cve, package: name }) => [
    cve,
    ...Array.from({ length: columns.indexOf('State') - 1 }, () => ''),
    'noFix',
    '',
    name,
    '',
  ]);
  return `\uFEFF${csvLines([...head, columns, ...rows, ...unfixed])}`;
}
