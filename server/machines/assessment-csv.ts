/** Writes an assessment as CSV. */
import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import { comparedText, noAdvisoryText, sourceSentences } from '@patch/contract/assessment-words.ts';
import { csvLines } from '../platform/file-export/csv-lines.ts';

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
export function toCsv(answer: Assessment): string {
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
