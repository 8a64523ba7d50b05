/** Routes of assessments: which patches a machine lacks, by its inventory. */

import { Readable } from 'node:stream';
import {
  type Assessment,
  type AssessmentBody,
  assessmentEndpoint,
  maxInventoryBytes,
} from '@patch/contract/assessment-endpoint.ts';
import { comparedText, sourceSentences } from '@patch/contract/assessment-words.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { csvLines } from '../platform/file-export/csv-lines.ts';
import { FileStream, type RouteRegistrar } from '../platform/http/route.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { getSearchCaller } from '../records/search/search-service.ts';
import { assessMachine, getListLabel } from './assess-machine.ts';

export function machineRoutes(
  route: RouteRegistrar,
  {
    database,
    memories,
    desk,
    clock = Date.now,
  }: Pick<RecordsContext, 'database' | 'memories' | 'desk'> & { readonly clock?: () => number },
): void {
  route(assessmentEndpoint, async (request) => {
    const text = toText(request.body);
    const answer = await desk.run(getSearchCaller(request), () =>
      assessMachine({ database, memories, clock }, text, request.signal),
    );
    if (request.query.format === 'json') return answer;
    return new FileStream(
      'missing-patches.csv',
      'text/csv; charset=utf-8',
      Readable.from([toCsv(answer)]),
    ) as never;
  });
}

/** Joins the files with line breaks, so that none runs into the next. */
function toText({ text, files = [] }: AssessmentBody): string {
  return checkInventory(text ?? files.map((file) => file.text).join('\n'));
}

function checkInventory(text: string): string {
  if (text.trim() === '')
    throw new AppError(
      'empty_inventory',
      'The inventory is empty. Send the output of one of these: rpm -qa, dpkg-query -W, systeminfo, Get-HotFix, sw_vers; on Linux also /etc/os-release.',
    );
  if (Buffer.byteLength(text) > maxInventoryBytes)
    throw new AppError(
      'too_large',
      `An inventory may have at most ${maxInventoryBytes / 1024 / 1024} MB.`,
    );
  return text;
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

/** Writes CSV with a byte order mark for spreadsheets. It begins with a row for each source and one about the comparison. */
function toCsv(answer: Assessment): string {
  const { missing, noFix } = answer;
  const head = [...sourceSentences(answer), comparedText(answer)].map((sentence) => [
    sentence,
    ...columns.slice(1).map(() => ''),
  ]);
  const rows = missing.map((record) => [
    record.identifier ?? '',
    record.title ?? '',
    getListLabel(record.list),
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
