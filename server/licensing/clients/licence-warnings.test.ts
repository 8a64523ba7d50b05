import { afterEach, beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { deliveriesPage } from '../../platform/mail/mail-outbox-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { type LicenceWarnings, startLicenceWarnings } from './licence-warnings.ts';
import { day, emptyRegistry, register } from './testing/client-registry.ts';

describeWithDatabase('warnings of licences that end', (open) => {
  const service = withSignInApp(open);
  const { now: start } = service;
  let warnings: LicenceWarnings;
  let notified = 0;
  beforeEach(async () => {
    service.now = start;
    notified = 0;
    await emptyRegistry(service.database);
    await service.database.script('delete from mail_outbox');
    warnings = startWarnings();
    await warnings.warn();
  });
  afterEach(() => warnings.stop());

  const startWarnings = () =>
    startLicenceWarnings({
      database: service.database,
      log: { info: () => undefined, warn: () => undefined } as never,
      clock: () => service.now,
      onMail: () => void (notified += 1),
    });
  const mails = async () =>
    (await deliveriesPage(service.database, 0, 100)).rows
      .map(({ recipient, subject }) => `${recipient}: ${subject}`)
      .toSorted();
  const at = async (daysBefore: number) => {
    service.now = start + 100 * day - daysBefore * day;
    return warnings.warn();
  };

  test('30, 7 and 1 days before, each once, to the contact and the administrators', async () => {
    await register(service, { licenseExpiry: start + 100 * day });
    const warned = [];
    for (const daysBefore of [31, 30, 29, 8, 7, 6.5, 2, 1, 0.5, 0])
      warned.push(await at(daysBefore));
    expect(warned).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
    expect(await mails()).toEqual(
      ['Operator@Example.org', 'it@north.example'].flatMap((who) => [
        `${who}: The licence of North Hospital ends in 30 days`,
        `${who}: The licence of North Hospital ends in 7 days`,
        `${who}: The licence of North Hospital ends within a day`,
      ]),
    );
    expect(notified).toBe(3);
  });

  test('skips missed warnings, and warns again after a renewal', async () => {
    const { id } = await register(service, { licenseExpiry: start + 100 * day, contactEmail: '' });
    expect(await at(5)).toBe(1);
    const token = await service.tokenOf('operator');
    await service.ask('POST', `/windows/user/${id}/renew`, {
      token,
      body: { licenseExpiry: start + 101 * day },
    });
    expect(await at(5)).toBe(1);
    expect(await mails()).toEqual([
      'Operator@Example.org: The licence of North Hospital ends in 5 days',
      'Operator@Example.org: The licence of North Hospital ends in 6 days',
    ]);
  });

  test('sends each warning once across two processes, and none for revoked clients and perpetual licences', async () => {
    await register(service, {
      licenseExpiry: start + 100 * day,
      contactEmail: 'OPERATOR@example.org',
    });
    await register(service, { licenseType: 'perpetual', licenseExpiry: null });
    const revoked = await register(service, { licenseExpiry: start + 100 * day });
    await service.ask('POST', `/windows/user/${revoked.id}/revoke`, {
      token: await service.tokenOf('operator'),
    });
    service.now = start + 99.5 * day;
    const second = startWarnings();
    const warned = await Promise.all([warnings.warn(), second.warn()]);
    await second.stop();
    expect(warned[0] + warned[1]).toBeLessThanOrEqual(1);
    expect(await mails()).toHaveLength(1);
  });
});
