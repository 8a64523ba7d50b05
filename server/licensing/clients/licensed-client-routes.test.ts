import { readActivationCode } from '@patch/contract/licensing/activation-code.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { buildClient } from '../../testing/factories.ts';
import { activate, activeClient, emptyRegistry, register } from './testing/client-registry.ts';

describeApp('licensed client routes', (service) => {
  const { operator } = service;
  beforeEach(() => emptyRegistry(service.database));
  const clientPath = (id: number, action: string) => `/windows/user/${id}/${action}`;

  test('registers a client with a new code and shows it in the list and the record', async () => {
    const client = await register(service);
    const { id, activationCode } = client;
    expect(client).toMatchObject({
      ...buildClient(service.now),
      state: 'waiting',
      registeredOn: null,
      hostName: '',
      revokedOn: null,
      createdOn: service.now,
    });
    expect(readActivationCode(activationCode)).toBe(activationCode);
    const shown = { id, clientName: 'North Hospital', licenseType: 'subscription' };
    const found = await operator.post('/windows/user/search', { keyword: 'north HOSP' }).list;
    expect(found).toMatchObject([{ ...shown, activationCode }]);
    expect(await operator.get(`/windows/user/${id}`).json).toMatchObject({
      deploymentMode: 'standalone',
      endPoints: 450,
      familyNames: ['AlmaLinux', 'Debian'],
      notes: 'Second floor.\nRing twice.',
    });
    expect((await register(service)).activationCode).not.toBe(activationCode);
  });

  test.each([
    [{ licenseType: 'perpetual' }, 'must be absent for a perpetual licence'],
    [{ licenseExpiry: null }, 'is required for a trial or a subscription'],
    [{ clientName: '  ' }, 'is required'],
    [{ contactEmail: 'nobody' }, 'valid email'],
    [{ contactEmail: undefined }, 'contactEmail is required.'],
    [{ contactEmail: 5 }, 'contactEmail must be text.'],
    [{ families: [] }, 'must name at least one family'],
    [{ families: ['fedora'] }, 'families'],
    [{ endPoints: 1.5 }, 'whole number'],
    [{ environment: 'production ' }, 'environment'],
  ])('refuses the entry %j', async (more, words) => {
    const entry = { ...buildClient(service.now), ...more };
    const reply = operator.post('/windows/user', entry);
    expect(await reply.refusal).toEqual([422, expect.stringContaining(words)]);
  });

  test('edits an entry and keeps the values that the client reported', async () => {
    const { id, client } = await activeClient(service);
    const edited = buildClient(service.now, {
      clientName: 'North',
      deploymentMode: 'HA',
      families: ['wsus'],
      notes: '',
    });
    const { json } = await operator.put(clientPath(id, 'licence'), edited);
    const { activationCode } = client;
    const reported = { state: 'active', hostName: 'repo-1', applicationVersion: '1.0' };
    expect(json).toMatchObject({ ...edited, activationCode, ...reported });
    expect(await operator.get(clientPath(id, 'licence')).json).toEqual(json);
    expect(await operator.put(clientPath(999_999, 'licence'), edited).status).toBe(404);
  });

  test('changes only the edited values, also in concurrent edits', async () => {
    const client = await register(service);
    const path = clientPath(client.id, 'licence');
    const licenseExpiry = service.now + 300 * day;
    const statuses = await Promise.all([
      operator.put(path, { notes: 'Moves in spring.' }).status,
      operator.post(clientPath(client.id, 'renew'), { licenseExpiry }).status,
      operator.put(path, { endPoints: 12 }).status,
    ]);
    expect(statuses).toEqual([200, 200, 200]);
    const edited = { ...client, notes: 'Moves in spring.', licenseExpiry, endPoints: 12 };
    expect(await operator.get(path).json).toEqual(edited);
    expect(await operator.put(path, {}).json).toEqual(edited);
    const perpetual = { licenseType: 'perpetual' };
    expect((await operator.put(path, perpetual).refusal)[1]).toContain(
      'must be absent for a perpetual licence',
    );
    const { state } = await operator.put(path, { ...perpetual, licenseExpiry: null }).json;
    expect(state).toBe('waiting');
  });

  test('replaces the activation code and ends the old code and its token', async () => {
    const { id, client, caller } = await activeClient(service);
    const { json } = await operator.post(clientPath(id, 'activation-code'));
    expect(json).toMatchObject({ state: 'waiting', hostName: '' });
    const activationCode = String(json['activationCode']);
    expect(activationCode).not.toBe(client.activationCode);
    const beat = caller.post('/client/heartbeat', { applicationVersion: '1' });
    expect(await beat.outcome).toBe('403 unknown_client');
    await expect(activate(service, client)).rejects.toThrow('is not valid');
    expect(await activate(service, { activationCode })).toMatch(/^prc_/);
  });
});
