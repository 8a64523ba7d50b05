import { expect, test } from 'vitest';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { describeAlerts } from './testing/alert-service.ts';

describeAlerts('alerts of views on what no row has', (service) => {
  const { app } = service;

  test('report the records that mention a CVE', async () => {
    await buildRecordIndex({ database: app.database });
    const atOnce = { mode: 'at_once' };
    await service.alert(app.stan, atOnce, { criteria: 'mentions.equal.CVE-2024-1086' });
    await writeRecords(
      app.database,
      'almalinux_patch',
      ['CVE-2024-1086', 'CVE-2024-10860'].map((cve) => ({
        key: cve,
        row: { title: `fixes ${cve}`, bulletinId: `ALSA-${cve}` },
        detail: { cve: [cve] },
      })),
      service.now,
    );
    expect(await service.reportedNames()).toEqual([['ALSA-CVE-2024-1086']]);
  });
});
