/** Routes of assessments: which patches a machine lacks, by its inventory. */

import { Readable } from 'node:stream';
import {
  type AssessmentBody,
  assessmentEndpoint,
  maxInventoryBytes,
} from '@patch/contract/assessment-endpoint.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { FileStream, JsonText, type RouteRegistrar } from '../platform/http/route.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { getSearchCaller } from '../records/search/search-service.ts';
import type { Assessor } from './assessor.ts';

export interface MachineRoutes extends Pick<RecordsContext, 'searchService'> {
  readonly assessor: Assessor;
}

export function machineRoutes(
  route: RouteRegistrar,
  { searchService, assessor }: MachineRoutes,
): void {
  route(assessmentEndpoint, async (request) => {
    const text = toText(request.body);
    const { format } = request.query;
    const answer = await searchService.run(getSearchCaller(request), () =>
      assessor.assessText(text, format, request.signal),
    );
    if (format === 'json') return new JsonText(answer) as never;
    return new FileStream(
      'missing-patches.csv',
      'text/csv; charset=utf-8',
      Readable.from([answer]),
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
