/** Fleets as a section of docs/performance.md. */
import { loadAverage, machineFacts } from './bench-report.ts';
import { imageCount, packagesAMachine } from './fleet-generator.ts';
import type { Intake } from './fleet-intake.ts';
import type { FleetResult } from './fleet-section.ts';

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const mb = (bytes: number) => `${Math.round(bytes / 1_048_576).toLocaleString('en')} MB`;
const held = (kept: boolean) => (kept ? '✓' : '✗');
const count = (value: number) => value.toLocaleString('en');

export function fleetReport(results: readonly FleetResult[]): string {
  return [
    '## Fleets',
    '',
    `Machines of ${packagesAMachine} packages of ${count(imageCount)} images, each five packages off its image, against 5,000 errata, reported by one licensed client`,
    'in requests as `client report` sends them, two at once. Meanwhile a person asks for a first page every 20 ms. Then 500 new errata are',
    'synced, and the time runs from the end of the sync until the last machine is judged by them. Generated from a seed.',
    '',
    machineFacts(),
    '',
    ...results.flatMap(ofDatabase),
    loadAverage(),
    '',
  ].join('\n');
}

function ofDatabase(result: FleetResult): readonly string[] {
  const { database, machines, intake, again, firstJudged, judged, counted, bytes } = result;
  const rows = [
    [
      'Machines taken in, each second',
      rate(intake),
      `300 ${held(machines / intake.seconds >= 300)}`,
    ],
    ['First pages meanwhile, p50, ms', ms(intake.firstPage.p50), ''],
    ['p99, ms', ms(intake.firstPage.p99), `100 ${held(intake.firstPage.p99 < 100)}`],
    ['longest, ms', ms(intake.firstPage.most), ''],
    ['The same machines once more, each second', rate(again), ''],
    ['First pages meanwhile, p99, ms', ms(again.firstPage.p99), ''],
    ['From the last report until all are judged, s', firstJudged.toFixed(1), ''],
    [
      `From the end of the sync until all are judged, s (${count(counted)} machines counted again)`,
      judged.toFixed(1),
      `30 ${held(judged <= 30)}`,
    ],
    [
      `Missing records of one machine (${count(result.missingOfMachine)}), p95, ms`,
      ms(result.ofMachine.p95),
      `50 ${held(result.ofMachine.p95 <= 50)}`,
    ],
    [
      `Machines that miss a record (up to ${count(result.machinesOfRecord)}), p95, ms`,
      ms(result.ofRecord.p95),
      `50 ${held(result.ofRecord.p95 <= 50)}`,
    ],
    ['On disk', mb(bytes), `2 GB ${held(bytes < 2 ** 31)}`],
  ];
  const tables = result.tables.map(([name, size]) => `${name} ${mb(size)}`).join(', ');
  const memory = intake.memoryMost === null ? 'not told' : mb(intake.memoryMost);
  return [
    `### ${database}, ${count(machines)} machines`,
    '',
    '| | | target |',
    '|---|--:|--:|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
    `Tables: ${tables}. Resident memory of the service at most ${memory} while machines were taken in.`,
    '',
  ];
}

const rate = ({ machines, seconds }: Intake) => count(Math.round(machines / seconds));
