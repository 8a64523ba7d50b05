/** Registers the routes of assessments, which say which patches a machine lacks, by its inventory, and prepares the first assessment. */

import { Readable } from 'node:stream';
import { machineOfRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import {
  type AssessmentBody,
  assessmentEndpoint,
  maxInventoryBytes,
} from '@patch/contract/fleet/assessment-endpoint.ts';
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Queryable } from '../platform/database/database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { FileStream, JsonText, type RouteRegistrar } from '../platform/http/route.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { getSearchCaller } from '../records/search/search-service.ts';
import { type AssessmentParts, assessMachine } from './assess-machine.ts';
import type { Assessor } from './assessor.ts';
import { readSomeNames } from './fix-vocabulary-store.ts';

const registerMachines: FastifyPluginAsync<RecordsContext & MachineRoutes> = async (
  app,
  context,
) => {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.addHook('onListen', async () => {
    const parts = { database: context.database, memories: context.memories, clock: Date.now };
    warmAssessment(parts, closing.signal).catch((error: unknown) => {
      if (!closing.signal.aborted)
        app.log.warn({ err: error }, 'the first assessment could not be prepared');
    });
  });
  machineRoutes(app.endpoint, context);
};

export const machinesPlugin = fastifyPlugin(registerMachines, {
  name: 'machines',
  dependencies: ['platform'],
  encapsulate: true,
});

/** V8 compiles code after some calls, and the first statement on a connection reads PostgreSQL's system catalogue. */
const rounds = 3;
/** Packages of the catalogue, whose fixes are all found; the others are unknown to it. */
const knownPackages = 20;
const otherPackages = 500;

/**
 * Runs a few assessments of a made-up machine, so that the first user does not wait for compilation and caches. Does nothing with an empty catalogue. Rejects when the signal is aborted.
 * @throws DatabaseError
 */
export async function warmAssessment(parts: AssessmentParts, signal: AbortSignal): Promise<void> {
  const inventory = await buildInventory(parts.database);
  if (inventory === null) return;
  for (let round = 0; round < rounds; round += 1) {
    signal.throwIfAborted();
    await assessMachine(parts, inventory, signal);
  }
}

async function buildInventory(database: Queryable): Promise<string | null> {
  const known = await readSomeNames(database, knownPackages);
  const machine = known === null ? null : machineOfRelease(known.release);
  if (known === null || machine === null) return null;
  const { distribution, release, family } = machine;
  const others = Array.from({ length: otherPackages }, (_, index) => `made-up-${index}`);
  const lines = [...known.names, ...others].map((name, index) =>
    family === 'rpm' ? `${name} 0:0-0.${index} x86_64 (none)` : `${name} 0.${index} amd64 ii`,
  );
  return [`ID=${distribution}`, `VERSION_ID=${release}`, ...lines, ''].join('\n');
}

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
