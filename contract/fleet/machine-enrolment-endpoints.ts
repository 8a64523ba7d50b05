/** Machines that report by themselves, with an enrolment key: an API key with the scope `report` for the machines of one group. */
import { z } from 'zod';
import { plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { maxInventoryBytes } from './assessment-endpoint.ts';
import { MachineTag, maxTags } from './machine-group-endpoints.ts';
import { MachineKey, ReportOutcome } from './machine-report-endpoints.ts';

const tag = 'Machines';

export const collectorFiles = ['patch-report.sh', 'patch-report.ps1'] as const;

export const collectorEndpoint = defineEndpoint({
  name: 'collector',
  summary:
    'The script with which a machine reports what is installed: POSIX sh for Linux, PowerShell 5.1 for Windows. It contains no key',
  tag,
  access: 'public',
  method: 'GET',
  path: '/collectors/{file}',
  params: z.object({ file: z.enum(collectorFiles) }),
  reply: z.string(),
  streams: 'file',
  rateLimit: { perMinute: 600 },
});

export const reportMachineEndpoint = defineEndpoint({
  name: 'report_machine',
  summary:
    'Report the machine that calls, with an API key with the scope report: what its tools printed, as plain text of at most 5 MB. Replaces the report before with the same key of the machine; 422 `report_refused` says why a text cannot be read',
  tag,
  // Ends with the rights of the administrator who created the key.
  access: 'admin',
  scope: 'report',
  method: 'POST',
  path: '/machines/report',
  query: z.strictObject({
    key: MachineKey.describe(
      'Stable and unique within the group, such as a hash of /etc/machine-id or MachineGuid',
    ),
    name: plainLine(255).describe('The host name'),
    tags: z
      .string()
      .max(1000)
      .transform((text) => text.split(',').filter((word) => word.trim() !== ''))
      .pipe(z.array(MachineTag).max(maxTags))
      .optional()
      .describe('Words on the machine, separated by commas'),
  }),
  body: z.strictObject({ text: z.string().min(1, 'is empty; send what the tools printed') }),
  receives: 'text',
  maxBodyBytes: maxInventoryBytes,
  maxBodyValues: 10,
  rateLimit: { perMinute: 600 },
  reply: ReportOutcome,
});
