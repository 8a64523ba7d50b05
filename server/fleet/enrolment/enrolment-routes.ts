/** Routes with which a machine reports itself, and the scripts that do it. An enrolment key reaches nothing but its group. */
import { createReadStream } from 'node:fs';
import {
  collectorEndpoint,
  reportMachineEndpoint,
} from '@patch/contract/fleet/machine-enrolment-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { FileStream, type RouteRegistrar } from '../../platform/http/route.ts';
import type { Intake } from '../intake/intake.ts';
import type { FleetContext } from '../intake/take-reports.ts';
import { countReport, recordKeyMachine } from './enrolment-key-store.ts';

export function enrolmentRoutes(
  route: RouteRegistrar,
  { database, intake }: Pick<FleetContext, 'database'> & { readonly intake: Intake },
): void {
  route(
    collectorEndpoint,
    async ({ params: { file } }) =>
      new FileStream(
        file,
        'text/plain; charset=utf-8',
        createReadStream(new URL(`collectors/${file}`, import.meta.url)),
      ) as never,
  );

  route(
    reportMachineEndpoint,
    async ({ keyId, query: { key, name, tags }, body, signal, changed }) => {
      const groupId = keyId === null ? null : await countReport(database, keyId);
      if (keyId === null || groupId === null)
        throw new AppError(
          'no_enrolment_key',
          'Machines report with an API key with the scope report, which an administrator creates for a group.',
        );
      const report = JSON.stringify({ machines: [{ key, name, tags, text: body.text }] });
      const [outcome] = await intake.take(groupId, Buffer.from(report), signal);
      if (outcome === undefined) throw new Error('A reported machine has no outcome');
      if (outcome.reason !== null) throw new AppError('report_refused', outcome.reason);
      if (outcome.id !== null) await recordKeyMachine(database, keyId, outcome.id);
      if (outcome.namesOfKey !== undefined)
        changed({
          subject: `several machines report the key ${key}`,
          after: { names: outcome.namesOfKey },
        });
      return outcome;
    },
  );
}
