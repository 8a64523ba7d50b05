/** The complete app with two reporting clients, North and South, and three errata that their machines may miss. */

import type { ReportOutcome } from '@patch/contract/fleet/machine-report-endpoints.ts';
import { beforeAll, beforeEach } from 'vitest';
import {
  day,
  hour,
  type SignInApp,
  withSignInApp,
} from '../../identity/sign-in/testing/sign-in-app.ts';
import { activeClient } from '../../licensing/clients/testing/client-registry.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import type { Database } from '../../platform/database/database.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import type { Caller } from '../../testing/caller.ts';
import type { OpenFresh } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { FleetJudge } from '../fleet-judge.ts';
import { maintainFleet } from '../fleet-maintenance-store.ts';

const inventory = (bash: string) =>
  `NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="8.9"\nbash-${bash}.x86_64\ncurl-7.61.1-33.el8.x86_64\n`;
/** An inventory that misses all three errata. */
export const old = inventory('4.4.20-4.el8');
/** An inventory that misses the third one. */
export const patched = inventory('4.4.20-6.el8');

export interface Found {
  readonly objList: readonly Readonly<Record<string, unknown>>[];
  readonly totalCount: number;
}

export class MachinesOfClients {
  readonly service: SignInApp;
  north!: Caller;
  south!: Caller;
  northId = 0;

  constructor(service: SignInApp) {
    this.service = service;
  }

  async begin(): Promise<void> {
    await this.service.repopulate();
    const reportsMachines = true;
    const north = await activeClient(this.service, { clientName: 'North', reportsMachines });
    const south = await activeClient(this.service, { clientName: 'South', reportsMachines });
    this.north = north.caller;
    this.south = south.caller;
    this.northId = north.id;
    const { database } = this.service;
    await buildRecordIndex({ database });
    await writeRecords(database, 'almalinux_patch', [
      erratum('ALSA-2024:1', 'Important', [['bash', '4.4.20-5.el8']]),
      erratum('ALSA-2024:2', 'Critical', [['bash', '4.4.20-6.el8']]),
      erratum('ALSA-2024:3', 'Low', [['curl', '7.61.1-34.el8']]),
    ]);
  }

  /** Removes machines that were silent for `retentionDays`. */
  async maintain(retentionDays = 90, now = this.service.now): Promise<void> {
    const { signal } = new AbortController();
    await maintainFleet(this.service.database, { now, retentionDays, signal });
  }

  /** @param database - Through which the round reads and writes. */
  async judge(database: Database = this.service.database): Promise<void> {
    await database.query('update fleet_worker set until = 0, tallied_on = 0');
    const judge = new FleetJudge({ database, clock: () => this.service.now });
    await judge.round(new AbortController().signal);
  }

  report(by: Caller, ...machines: readonly object[]) {
    return by.post('/client/machines', { machines });
  }

  async outcomes(by: Caller, ...machines: readonly object[]): Promise<readonly ReportOutcome[]> {
    return (await this.report(by, ...machines).json)['machines'] as ReportOutcome[];
  }

  /** Reports the machine host-<key> and returns its id. */
  async add(key: string, text = old, by = this.north): Promise<number> {
    const [outcome] = await this.outcomes(by, { key, name: `host-${key}`, text });
    return outcome?.id ?? 0;
  }

  /** Returns the id of a new enrolment key of the group, and the caller with it. */
  async newKey(group: string, name = group) {
    const expiresAt = this.service.now + hour;
    const body = { name, scopes: ['report'], expiresAt, group };
    const { json } = await this.service.operator.post('/me/apikeys', body);
    return { id: Number(json['id']), by: this.service.as(String(json['key'])) };
  }

  /** Reports a machine with an enrolment key. */
  enrol(by: Caller, key: string, text = old, name = `host-${key}`) {
    return by.post(`/machines/report?key=${key}&name=${name}`, { text });
  }

  async search(body: object = {}): Promise<Found> {
    return (await this.service.stan.post('/machines/search', body).json) as unknown as Found;
  }

  async missing(id: number) {
    const { json } = await this.service.stan.get(`/machines/${id}/missing`);
    return json as unknown as Found & { readonly acceptedCount: number };
  }

  async recordId(identifier: string): Promise<number> {
    const text = 'select id from almalinux_patch where bulletin_id = $1';
    return Number((await this.service.rows(text, [identifier]))[0]?.['id']);
  }

  async machinesMissing(identifier: string): Promise<Found> {
    const path = `/records/almalinux_patch/${await this.recordId(identifier)}/machines`;
    return (await this.service.stan.get(path).json) as unknown as Found;
  }

  /** Accepts for a day that the machine misses ALSA-2024:2. */
  async accept(id: number, more: object = {}) {
    return this.service.operator.post(`/machines/${id}/exceptions`, {
      list: 'almalinux_patch',
      recordId: await this.recordId('ALSA-2024:2'),
      until: this.service.now + day,
      reason: 'Behind a firewall',
      ...more,
    });
  }
}

/** Each test begins without machines. */
export function withMachinesOfClients(open: OpenFresh): MachinesOfClients {
  const fleet = new MachinesOfClients(withSignInApp(open));
  beforeAll(() => fleet.begin());
  beforeEach(() => fleet.maintain(1, fleet.service.now + 1000 * day));
  return fleet;
}
