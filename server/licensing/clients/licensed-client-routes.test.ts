import { readActivationCode } from '@patch/contract/activation-code.ts';
import type { LicensedClient } from '@patch/contract/licensed-client-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildClient } from '../../testing/factories.ts';
import { activate, day, emptyRegistry, register } from './testing/client-registry.ts';

describeWithDatabase('the registry of licensed clients', (open) => {
  const service = withSignInApp(open);
  let token: string;
  beforeEach(async () => {
    await emptyRegistry(service.database);
    token = await service.tokenOf('operator');
  });
  const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    service.ask(method, path, { token, ...(body !== undefined && { body }) });

  test('a client is registered: its code is made, its list and its record show it', async () => {
    const client = await register(service);
    expect(client).toMatchObject({
      ...buildClient(service.now),
      state: 'waiting',
      registeredOn: null,
      hostName: '',
      revokedOn: null,
      createdOn: service.now,
    });
    expect(readActivationCode(client.activationCode)).toBe(client.activationCode);
    const found = await ask('POST', '/windows/user/search', { keyword: 'north HOSP' });
    expect(found.json).toMatchObject({
      totalCount: 1,
      objList: [
        {
          id: client.id,
          clientName: 'North Hospital',
          licenseType: 'subscription',
          activationCode: client.activationCode,
        },
      ],
    });
    const record = await ask('GET', `/windows/user/${client.id}`);
    expect(record.json).toMatchObject({
      deploymentMode: 'standalone',
      endPoints: 450,
      familyNames: ['AlmaLinux', 'Debian'],
      notes: 'Second floor.\nRing twice.',
    });
    expect((await register(service)).activationCode).not.toBe(client.activationCode);
  });

  test('what is entered must be right', async () => {
    const wrong = async (more: object, words: string) => {
      const { status, json } = await ask('POST', '/windows/user', {
        ...buildClient(service.now),
        ...more,
      });
      expect([status, json['userMessage']]).toEqual([422, expect.stringContaining(words)]);
    };
    await wrong({ licenseType: 'perpetual' }, 'must be absent for a perpetual licence');
    await wrong({ licenseExpiry: null }, 'is required for a trial or a subscription');
    await wrong({ clientName: '  ' }, 'is required');
    await wrong({ contactEmail: 'nobody' }, 'valid email');
    await wrong({ families: [] }, 'must name at least one family');
    await wrong({ families: ['fedora'] }, 'families');
    await wrong({ endPoints: 1.5 }, 'whole number');
    await wrong({ environment: 'production ' }, 'environment');
    expect(
      (await register(service, { licenseType: 'perpetual', licenseExpiry: null })).licenseExpiry,
    ).toBeNull();
  });

  test('is edited; what the client itself told stays', async () => {
    const client = await register(service);
    await activate(service, client);
    const edited = buildClient(service.now, {
      clientName: 'North',
      deploymentMode: 'HA',
      families: ['wsus'],
      notes: '',
    });
    const { json } = await ask('PUT', `/windows/user/${client.id}/licence`, edited);
    expect(json).toMatchObject({
      ...edited,
      activationCode: client.activationCode,
      state: 'active',
      hostName: 'repo-1',
      applicationVersion: '1.0',
    });
    expect((await ask('GET', `/windows/user/${client.id}/licence`)).json).toEqual(json);
    expect((await ask('PUT', '/windows/user/999999/licence', edited)).status).toBe(404);
  });

  test('of what is edited the rest stays, also when two do it at once', async () => {
    const client = await register(service);
    const path = `/windows/user/${client.id}/licence`;
    const later = service.now + 300 * day;
    const replies = await Promise.all([
      ask('PUT', path, { notes: 'Moves in spring.' }),
      ask('POST', `/windows/user/${client.id}/renew`, { licenseExpiry: later }),
      ask('PUT', path, { endPoints: 12 }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { json } = await ask('GET', path);
    expect(json).toEqual({
      ...client,
      notes: 'Moves in spring.',
      licenseExpiry: later,
      endPoints: 12,
    });
    expect((await ask('PUT', path, {})).json).toEqual(json);
    expect((await ask('PUT', path, { licenseType: 'perpetual' })).json['userMessage']).toContain(
      'must be absent for a perpetual licence',
    );
    expect(
      (await ask('PUT', path, { licenseType: 'perpetual', licenseExpiry: null })).json['state'],
    ).toBe('waiting');
  });

  test('a client is revoked and restored, once each', async () => {
    const { id } = await register(service);
    const answers = [];
    for (const what of ['restore', 'revoke', 'revoke', 'restore'])
      answers.push(await ask('POST', `/windows/user/${id}/${what}`));
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 409, 200]);
    expect(answers[1]?.json).toMatchObject({
      state: 'revoked',
      revokedOn: service.now,
      revokedBy: 'Operator',
    });
    expect(answers[3]?.json).toMatchObject({ state: 'waiting', revokedOn: null, revokedBy: '' });
  });

  test('a new activation code ends the old one and its token', async () => {
    const client = await register(service);
    const clientToken = await activate(service, client);
    const { json } = await ask('POST', `/windows/user/${client.id}/activation-code`);
    const renewed = json as unknown as LicensedClient;
    expect(renewed).toMatchObject({ state: 'waiting', hostName: '' });
    expect(renewed.activationCode).not.toBe(client.activationCode);
    const beat = await service.ask('POST', '/client/heartbeat', {
      token: clientToken,
      body: { applicationVersion: '1' },
    });
    expect([beat.status, beat.json['code']]).toEqual([403, 'unknown_client']);
    expect(await activate(service, client)).toBe('undefined');
    expect(await activate(service, renewed)).toMatch(/^prc_/);
  });

  test('what was changed is on record, without the code and the token', async () => {
    const client = await register(service);
    const clientToken = await activate(service, client);
    await ask('POST', `/windows/user/${client.id}/revoke`);
    const rows = await queryRows(
      service.database,
      z.object({ text: z.string() }),
      'select row_to_json(audit_entry)::text as text from audit_entry order by id',
    );
    const all = rows.map(({ text }) => text).join('\n');
    for (const words of [
      'create_licensed_client',
      'activate_client',
      'revoke_licensed_client',
      'licensed client North Hospital',
    ])
      expect(all).toContain(words);
    expect(all).not.toContain(client.activationCode);
    expect(all).not.toContain(clientToken);
  });
});
