/** Every administrative call of the contract, including future ones, leaves an entry in the audit log. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { makeExample } from '../../testing/example-request.ts';
import { password } from '../../testing/factories.ts';
import { auditKey } from './audit-hash.ts';
import { type ChainedEntry, entriesPage } from './audit-store.ts';
import { verifyChain } from './verify-chain.ts';

/** Machines report by themselves, hundreds each hour; enrolment.test.ts has what is logged of them. */
const administrative = endpoints.filter(
  ({ access, method, reads, scope }) =>
    ['admin', 'approver', 'operator'].includes(access) &&
    method !== 'GET' &&
    reads !== true &&
    scope !== 'report',
);

describeWithDatabase('every administrative call', (open) => {
  const service = withSignInApp(open);

  test.each(administrative)('leaves an entry for $method $path', async (call) => {
    const { json } = await service.signIn('Operator', password, { from: service.newAddress() });
    const newest = async (): Promise<ChainedEntry> => {
      const [entry] = await entriesPage(service.database, {}, null, 1);
      if (entry === undefined) throw new Error('The audit log is empty');
      return entry;
    };
    const before = await newest();
    const { status } = await makeExample(service.app, call, String(json['token']));
    const entry = await newest();
    expect(entry.id).toBeGreaterThan(before.id);
    expect(entry).toMatchObject({
      action: call.name,
      userName: 'Operator',
      keyName: null,
      address: '127.0.0.1',
      time: service.now,
    });
    // A refusal may be a 503, when this process does not offer the function.
    expect(entry.outcome === 'done').toBe(status < 400);
    expect(entry.outcome === 'failed').toBe(status === 500);
    expect(entry.code === '').toBe(status < 400);
  });

  test('leaves entries that form one chain', async () => {
    expect(await verifyChain(service.database, auditKey(service.box), [])).toMatchObject({
      intact: true,
    });
  });
});
