/** One licensed client that reports its machines as `client report` does, while a person asks for first pages. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { reportMachinesEndpoint } from '@patch/contract/machine-report-endpoints.ts';
import type { RunningService } from './bench-service.ts';
import { type MadeMachine, machineMaker } from './fleet-generator.ts';
import { type Times, timesOf } from './measure.ts';

/** As the client splits its reports. */
const maxMachines = 200;
const maxCharacters = 4 * 1024 * 1024;
/** As the client sends them. */
const requestsAtOnce = 2;
/** Between two first pages of a person. */
const pauseMs = 20;

export interface ReportFile {
  readonly path: string;
  readonly machines: number;
}

/** The requests, compressed and in files, so that making them takes no time of the measurement. */
export async function writeReports(
  folder: string,
  seed: number,
  machines: number,
): Promise<readonly ReportFile[]> {
  await mkdir(folder, { recursive: true });
  const make = machineMaker(seed);
  const files: ReportFile[] = [];
  let batch: MadeMachine[] = [];
  let characters = 0;
  const flush = async () => {
    const path = join(folder, `${files.length}.gz`);
    await writeFile(path, gzipSync(JSON.stringify({ machines: batch }), { level: 1 }));
    files.push({ path, machines: batch.length });
    batch = [];
    characters = 0;
  };
  for (let n = 0; n < machines; n += 1) {
    const machine = make(n);
    if (batch.length === maxMachines || characters + machine.text.length > maxCharacters)
      await flush();
    batch.push(machine);
    characters += machine.text.length;
  }
  if (batch.length > 0) await flush();
  return files;
}

export interface Intake {
  readonly machines: number;
  readonly seconds: number;
  /** First pages of a person meanwhile. */
  readonly firstPage: Times;
  readonly memoryMost: number | null;
}

/** `state`: what each machine must be answered with. */
export async function reportAll(
  service: RunningService,
  token: string,
  files: readonly ReportFile[],
  state: 'stored' | 'unchanged',
): Promise<Intake> {
  const ended = new AbortController();
  const pages = firstPages(service, ended.signal);
  let machines = 0;
  const since = performance.now();
  let next = 0;
  const send = async () => {
    for (let file = files[next]; file !== undefined; file = files[next]) {
      next += 1;
      await reportOne(service, token, file.path, file.machines, state);
      machines += file.machines;
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, send));
  const seconds = (performance.now() - since) / 1000;
  ended.abort();
  return { machines, seconds, ...(await pages) };
}

async function reportOne(
  { url }: RunningService,
  token: string,
  path: string,
  count: number,
  state: string,
): Promise<void> {
  const reply = await fetch(`${url}/api${reportMachinesEndpoint.path}`, {
    method: reportMachinesEndpoint.method,
    headers: {
      authorization: `Apikey ${token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: await readFile(path),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`A report answered ${reply.status}: ${text}`);
  const { machines } = reportMachinesEndpoint.reply.parse(JSON.parse(text));
  const right = machines.filter((one) => one.state === state && one.unreadableLines === 0);
  if (right.length !== count)
    throw new Error(`${count - right.length} machines of a report are not ${state}`);
}

async function firstPages(
  { client, memory }: RunningService,
  ended: AbortSignal,
): Promise<Pick<Intake, 'firstPage' | 'memoryMost'>> {
  const path = `/api${listOfKey('almalinux_patch').searchPath}?size=25`;
  const taken: number[] = [];
  let memoryMost: number | null = null;
  while (!ended.aborted) {
    const since = performance.now();
    const { status, text } = await client.ask('POST', path, {});
    if (status !== 200) throw new Error(`A first page answered ${status}: ${text}`);
    taken.push(performance.now() - since);
    if (taken.length % 50 === 0)
      memoryMost = Math.max(memoryMost ?? 0, (await memory()) ?? 0) || null;
    await after(pauseMs);
  }
  return { firstPage: timesOf(taken), memoryMost };
}
