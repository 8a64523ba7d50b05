/** Reports of a licensed client's machines, when an administrator allows them. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainText, plainTextRule } from '../base/plain-text.ts';
import { MachineTag, maxTags } from './machine-group-endpoints.ts';

export const maxReportedMachines = 1000;
/** Limit of a request, decompressed. */
export const maxReportBytes = 16 * 1024 * 1024;
const maxInventoryLength = 5 * 1024 * 1024;
const maxPackages = 20_000;

const line = (most: number) =>
  z.string().trim().min(1).max(most).refine(isPlainText, plainTextRule);

/** The client's own name of a machine: a host name, a serial number, a UUID. */
export const MachineKey = line(200).describe(
  'Unique within the client; a report replaces the one before',
);

const ReportedPackage = z.strictObject({
  format: z.enum(['rpm', 'deb']),
  name: line(300),
  version: line(300).describe('rpm: version-release. deb: the whole version'),
  epoch: z
    .string()
    .regex(/^\d{1,10}$/)
    .nullish()
    .describe('rpm: 0 for none; absent: not known'),
  architecture: line(50).nullish(),
  module: z
    .strictObject({ name: line(200), stream: line(200) })
    .nullish()
    .describe('rpm: null says that it is of no module; absent: not known'),
  source: z.strictObject({ name: line(300), version: line(300).nullish() }).optional(),
});

export const ReportedMachine = z
  .strictObject({
    key: MachineKey,
    name: line(255),
    tags: z
      .array(MachineTag)
      .max(maxTags)
      .optional()
      .describe('Words on the machine, in place of those of the report before'),
    text: z
      .string()
      .max(maxInventoryLength)
      // As Check a machine reads it: output in UTF-16 has them between its letters.
      .transform((text) => text.replaceAll('\0', '').toWellFormed())
      .optional()
      .describe('What the tools of the machine printed, one after the other'),
    platform: z.enum(['linux', 'windows', 'macos']).optional(),
    distribution: line(200)
      .optional()
      .describe('ID of os-release, or the name of the Windows product'),
    release: line(100).optional().describe('VERSION_ID of os-release, or ProductVersion of macOS'),
    architecture: line(50).optional(),
    kernel: line(200).optional().describe('As uname -r prints it'),
    build: line(100).optional(),
    packages: z.array(ReportedPackage).max(maxPackages).optional(),
    kbs: z
      .array(z.string().regex(/^(?:KB)?\d{4,10}$/i, 'must be KB numbers'))
      .max(5000)
      .optional(),
    applications: z
      .array(
        z.strictObject({
          name: line(300),
          identifier: line(300).nullish().describe('As winget names it'),
          version: line(200).nullish(),
        }),
      )
      .max(5000)
      .optional(),
  })
  .refine(
    ({ key: _key, name: _name, tags: _tags, text, ...facts }) =>
      (text === undefined) !== (Object.keys(facts).length === 0),
    'must have either text or packages, kbs, applications and what tells the release',
  );
export type ReportedMachine = z.infer<typeof ReportedMachine>;

/** A machine that breaks a rule, which is refused alone. */
export interface UnreadableMachine {
  /** As sent; empty when it is not a text. */
  readonly key: string;
  readonly unreadable: string;
}

const maxIssues = 3;

/** Accepts anything that `ReportedMachine` does not. */
function unreadableMachine(sent: unknown): UnreadableMachine {
  const issues = ReportedMachine.safeParse(sent).error?.issues ?? [];
  const reasons = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '));
  const key: unknown =
    typeof sent === 'object' && sent !== null && 'key' in sent ? sent.key : undefined;
  return {
    key: typeof key === 'string' ? key.trim().slice(0, 200).toWellFormed() : '',
    unreadable: `${reasons.join('; ')}.`,
  };
}

const SentMachine = z.union([
  ReportedMachine,
  z
    .unknown()
    .transform(unreadableMachine)
    .describe('Anything else is refused by itself, with the reason in its outcome'),
]);

export const ReportOutcome = z.object({
  key: z.string(),
  state: z
    .enum(['stored', 'unchanged', 'refused'])
    .describe('unchanged: the report says what the one before said; only the time is noted'),
  id: z.number().int().nullable(),
  unreadableLines: z.number().int().describe('Of a text'),
  reason: z
    .string()
    .nullable()
    .describe('Of a refused report; the others of the request are stored'),
  namesOfKey: z
    .array(z.string())
    .optional()
    .describe('Names of machines that report this key in turns; sent when it is noticed'),
});
export type ReportOutcome = z.infer<typeof ReportOutcome>;

const clients = { tag: 'Client protocol', access: 'client' } as const;

export const reportMachinesEndpoint = defineEndpoint({
  ...clients,
  name: 'report_machines',
  summary:
    'Report machines with their inventories, up to 1,000 in a request, 16 MB; a report replaces the one with the same key. The body may be compressed (Content-Encoding: gzip). 403 `machines_not_allowed` until an administrator allows it for the client',
  method: 'POST',
  path: '/client/machines',
  body: z.strictObject({
    machines: z
      .array(SentMachine)
      .min(1)
      .max(maxReportedMachines)
      .describe('Machines that break a rule or share a key are refused; the others are stored'),
  }),
  receives: 'gzip',
  maxBodyBytes: maxReportBytes,
  // More than 16 MB of packages or KB numbers have. A body of nothing but brackets would occupy the thread.
  maxBodyValues: 2_500_000,
  reply: z.object({ machines: z.array(ReportOutcome) }),
});

export const removeReportedMachineEndpoint = defineEndpoint({
  ...clients,
  name: 'remove_reported_machine',
  summary: 'Remove a machine of the calling client; 404 when it has none with that key',
  method: 'DELETE',
  path: '/client/machines/{key}',
  params: z.object({ key: MachineKey }),
  reply: z.object({}),
});
