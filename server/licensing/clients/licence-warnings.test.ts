import { afterEach, beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { type LicenceWarnings, startLicenceWarnings } from './licence-warnings.ts';
import { emptyRegistry, register } from './testing/client-registry.ts';

describeApp('licence warnings', (service) => {
  const { now: start } = service;
  const licenseExpiry = start + 100 * day;
  let warnings: LicenceWarnings;
  let notified = 0;
  beforeEach(async () => {
    service.now = start;
    notified = 0;
    await emptyRegistry(service.database);
    await service.database.script('delete from outbox; delete from event');
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
    (await service.rows('select recipient, subject from outbox'))
      .map(({ recipient, subject }) => `${String(recipient)}: ${String(subject)}`)
      .toSorted();
  const warnAt = (daysBefore: number) => {
    service.now = licenseExpiry - daysBefore * day;
    return warnings.warn();
  };

  test('warns 30, 7 and 1 days before, each once, the contact and the administrators', async () => {
    await register(service, { licenseExpiry });
    const warned = [];
    for (const daysBefore of [31, 30, 29, 8, 7, 6.5, 2, 1, 0.5, 0])
      warned.push(await warnAt(daysBefore));
    expect(warned).toEqual([0, 1, 0, 0, 1, 0, 0, 1, 0, 0]);
    expect(await mails()).toEqual(
      ['Operator@Example.org', 'it@north.example'].flatMap((who) =>
        ['in 30 days', 'in 7 days', 'within a day'].map(
          (when) => `${who}: The licence of North Hospital expires ${when}`,
        ),
      ),
    );
    expect(notified).toBe(3);
  });

  test('skips missed warnings, and warns again after a renewal', async () => {
    const { id } = await register(service, { licenseExpiry, contactEmail: '' });
    expect(await warnAt(5)).toBe(1);
    const renewed = { licenseExpiry: licenseExpiry + day };
    await service.operator.post(`/windows/user/${id}/renew`, renewed);
    expect(await warnAt(5)).toBe(1);
    expect(await mails()).toEqual([
      'Operator@Example.org: The licence of North Hospital expires in 5 days',
      'Operator@Example.org: The licence of North Hospital expires in 6 days',
    ]);
  });

  test('makes one event of a licence that has ended, also when nobody looked for days, and one after a renewal', async () => {
    const { id } = await register(service, { licenseExpiry });
    const revoked = await register(service, { licenseExpiry });
    await service.operator.post(`/windows/user/${revoked.id}/revoke`);
    await warnAt(1);
    expect(await storedEvents(service.database)).toEqual([]);
    const second = startWarnings();
    await Promise.all([warnAt(-3), second.warn()]);
    await second.stop();
    const [event, ...others] = await storedEvents(service.database);
    expect(others).toEqual([]);
    expect(event).toEqual([
      'licence.ended',
      'The licence of North Hospital has ended',
      ['North Hospital: Ended on 2027-03-01 00:00 UTC'],
    ]);
    const renewed = { licenseExpiry: licenseExpiry + 10 * day };
    await service.operator.post(`/windows/user/${id}/renew`, renewed);
    await warnAt(-5);
    expect(await storedEvents(service.database)).toHaveLength(1);
    await warnAt(-10);
    expect(await storedEvents(service.database)).toHaveLength(2);
  });

  test('sends each warning once across two processes, and none for revoked clients and perpetual licences', async () => {
    await register(service, { licenseExpiry, contactEmail: 'OPERATOR@example.org' });
    await register(service, { licenseType: 'perpetual', licenseExpiry: null });
    const revoked = await register(service, { licenseExpiry });
    await service.operator.post(`/windows/user/${revoked.id}/revoke`);
    service.now = licenseExpiry - 0.5 * day;
    const second = startWarnings();
    const [one, other] = await Promise.all([warnings.warn(), second.warn()]);
    await second.stop();
    expect(one + other).toBeLessThanOrEqual(1);
    expect(await mails()).toHaveLength(1);
  });
});
