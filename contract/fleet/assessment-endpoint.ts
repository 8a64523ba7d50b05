/** Assesses a machine from the output of its own tools, without storing anything. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';

/** Limit of one text, or of all files together. */
export const maxInventoryBytes = 5 * 1024 * 1024;
const maxFiles = 50;

const when = z.number().describe('Epoch milliseconds');

export const AssessmentBody = z
  .strictObject({
    text: z.string().optional().describe('What the tools printed, one after the other'),
    files: z
      .array(z.strictObject({ name: z.string().max(500), text: z.string() }))
      .min(1)
      .max(maxFiles)
      .optional(),
  })
  .refine(
    ({ text, files }) => (text === undefined) !== (files === undefined),
    'must be plain text, {"text": "…"} or {"files": [{"name": "…", "text": "…"}]}',
  );
export type AssessmentBody = z.infer<typeof AssessmentBody>;

export const AssessedMachine = z.object({
  platform: z.enum(['linux', 'windows', 'macos']).nullable(),
  distribution: z.string().nullable(),
  release: z.string().nullable(),
  architecture: z.string().nullable(),
  build: z.string().nullable().describe('Of Windows and macOS'),
  kernel: z.string().nullable().describe('The running one'),
  packages: z.number().int(),
  kbs: z.number().int(),
  applications: z.number().int(),
  rebootPending: z
    .boolean()
    .nullable()
    .describe(
      'The system says that a restart is due, or the newest installed kernel is not the running one; null: not known',
    ),
  restartDue: z
    .boolean()
    .nullable()
    .describe('The system itself says whether a restart is due; null: it does not'),
  endOfLife: when.nullable().describe('When the vendor ended its support, if that is past'),
});

export const missingStates = ['missing', 'uncertain', 'needsSubscription'] as const;

export const MissingRecord = z.object({
  list: z.string(),
  recordId: z.number().int(),
  identifier: z.string().nullable(),
  title: z.string().nullable(),
  severity: z.string().nullable(),
  exploited: z.boolean().nullable(),
  cvss: z.number().nullable(),
  epss: z.number().nullable(),
  releaseDate: when.nullable(),
  state: z.enum(missingStates),
  reason: z.string().nullable().describe('Why it is not certain; null where it is'),
  evidence: z.array(
    z.object({
      name: z.string(),
      installed: z.string().nullable(),
      fixed: z.string().nullable(),
    }),
  ),
  supersededBy: z
    .array(z.string())
    .describe('Identifiers of the records to install that bring what this one brings'),
});
export type MissingRecord = z.infer<typeof MissingRecord>;

/** The most urgent band first. */
export const missingBands = ['exploited', 'serious', 'others'] as const;
export type MissingBand = (typeof missingBands)[number];

export const Assessment = z.object({
  /** The sources that the machine was compared with. Records that a vendor published later are not included. */
  sources: z.array(
    z.object({
      service: z.string(),
      label: z.string(),
      upTo: when.nullable().describe('The day up to which its data reach: of the newest record'),
      concern: z
        .string()
        .nullable()
        .describe('Why newer records may be lacking: stale or silent; null where it is fresh'),
      lastSuccessAt: when.nullable(),
    }),
  ),
  machine: AssessedMachine,
  verdicts: z
    .object({
      read: z.number().int().describe('The sum of the six verdicts'),
      compared: z.number().int().describe('All that a record lists and that are judged'),
      fixed: z.number().int().describe('Fixed or not affected'),
      missing: z.number().int(),
      uncertain: z.number().int(),
      notJudged: z.number().int(),
      noAdvisory: z.number().int().describe('No record of the release lists them'),
      noFix: z.number().int().describe('Vulnerable, and no fix is published'),
    })
    .describe('Of packages, KBs and applications; of the system where none of them was read'),
  system: z
    .enum(['fixed', 'missing', 'uncertain', 'notJudged', 'noAdvisory', 'noFix'])
    .nullable()
    .describe('Of Windows or macOS itself; null for systems of packages'),
  understood: z.array(z.object({ format: z.string(), lines: z.number().int() })),
  unreadable: z
    .array(z.object({ line: z.number().int(), text: z.string(), reason: z.string() }))
    .describe('The first of them'),
  unreadableLines: z.number().int().describe('All of them'),
  advice: z
    .array(z.object({ kind: z.string(), text: z.string(), command: z.string().nullable() }))
    .describe('What the inventory leaves out, and the command that would tell it'),
  /** Known exploited ones first, then by severity. */
  missing: z.array(MissingRecord),
  /** A small set of records that fixes everything that is certainly missing. */
  install: z.array(
    z.object({
      identifier: z.string(),
      list: z.string(),
      recordId: z.number().int(),
      command: z.string().nullable().describe('For a root shell; null without one'),
      restart: z.string().nullable(),
    }),
  ),
  /** A single command for all of `install`, when the platform has one. */
  installCommand: z.string().nullable(),
  /** The certainly missing records by urgency, each with what closes all of them. */
  bands: z.array(
    z.object({
      band: z
        .enum(missingBands)
        .describe('exploited: known exploited. serious: other critical and important ones'),
      missing: z.number().int(),
      closed: z.number().int().describe('How many of them `install` closes'),
      install: z.array(z.string()).describe('Identifiers of `install`'),
      command: z.string().nullable().describe('A single command for `install`, if there is one'),
    }),
  ),
  notJudged: z
    .array(
      z.object({
        reason: z.string(),
        count: z.number().int(),
        names: z.array(z.string()).describe('The first of them'),
      }),
    )
    .describe('Packages, KBs and applications that were read and not judged, by reason'),
  noAdvisory: z
    .object({
      count: z.number().int(),
      names: z.array(z.string()).describe('The first of them'),
      sources: z
        .array(z.object({ label: z.string(), upTo: when.nullable() }))
        .describe('Whose records were read, and the day up to which they reach'),
    })
    .describe('Packages that no record of the release lists'),
  leftOut: z
    .array(z.object({ reason: z.string(), count: z.number().int() }))
    .describe('Records of the release that were not compared, by reason'),
  noFix: z
    .array(z.object({ cve: z.string(), package: z.string() }))
    .describe('Known vulnerabilities of installed packages without a published fix'),
  counts: z.object({
    critical: z.number().int(),
    important: z.number().int(),
    moderate: z.number().int(),
    low: z.number().int(),
    unspecified: z.number().int(),
    exploited: z.number().int(),
    uncertain: z.number().int(),
    needsSubscription: z.number().int(),
  }),
});
export type Assessment = z.infer<typeof Assessment>;

/** The scope of an assessment: what was compared with which data, and what was not. */
export const MachineJudgement = Assessment.pick({
  sources: true,
  verdicts: true,
  system: true,
  notJudged: true,
  noAdvisory: true,
  leftOut: true,
}).extend({ machine: AssessedMachine.pick({ packages: true, kbs: true, applications: true }) });
export type MachineJudgement = z.infer<typeof MachineJudgement>;

export const assessmentEndpoint = defineEndpoint({
  name: 'assess_machine',
  summary: 'Which patches a machine lacks, and what to install; nothing is stored',
  tag: 'Machines',
  method: 'POST',
  path: '/assessments',
  access: 'standard',
  machines: 'none',
  reads: true,
  scope: 'assess',
  query: z.strictObject({
    format: z.enum(['json', 'csv']).default('json').describe('csv: the missing records as a file'),
  }),
  body: AssessmentBody,
  receives: 'text',
  maxBodyBytes: maxInventoryBytes,
  maxBodyValues: 20 * maxFiles,
  reply: Assessment,
});
