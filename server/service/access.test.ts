/** Makes every call of the real app as every kind of caller and compares the outcomes with docs/access.md. */
import { readFileSync } from 'node:fs';
import { combinableScopes } from '@patch/contract/accounts/api-key-endpoints.ts';
import { apiKeyScopes, type Endpoint } from '@patch/contract/base/endpoint.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SignInApp } from '../identity/sign-in/testing/sign-in-app.ts';
import { activate, register } from '../licensing/clients/testing/client-registry.ts';
import { openMigrated } from '../testing/databases.ts';
import { makeExample } from '../testing/example-request.ts';
import { buildUser, password } from '../testing/factories.ts';

const table = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8');

/** The cells of a line: method, path, access, API key, users of some groups, description. */
const lines = table
  .split('\n')
  .map((line) => line.replace(/^\| | \|$/g, '').split(' | '))
  .filter(({ length }) => length === 6);

const letIn = 'let in';

interface Outcomes {
  readonly nobody: string;
  /** Users by their type; `admin` owns the keys. */
  readonly standard: string;
  readonly operator: string;
  readonly approver: string;
  /** An approver of some groups. */
  readonly limited: string;
  readonly admin: string;
  readonly keyWithout: string;
  readonly keyWith: string;
  readonly revokedClient: string;
  readonly licensedClient: string;
}

/** Returns the outcome of each caller that the table describes. */
function outcomesSaid(who: string, key: string, groups: string): Outcomes {
  const everybody = {
    nobody: letIn,
    standard: letIn,
    operator: letIn,
    approver: letIn,
    limited: letIn,
    admin: letIn,
    keyWithout: letIn,
    keyWith: letIn,
    revokedClient: letIn,
    licensedClient: letIn,
  };
  const withKey = key === 'no' ? '403 not_with_api_key' : letIn;
  const keys = { keyWith: withKey, keyWithout: key === 'no' ? withKey : '403 scope_missing' };
  const clients = { revokedClient: '401 session_ended', licensedClient: '401 session_ended' };
  const unknown = '403 unknown_client';
  const refused = '403 not_allowed';
  const limited = groups === 'no' ? '403 limited_to_groups' : letIn;
  const signedIn = { ...everybody, ...keys, ...clients, nobody: '401 not_signed_in', limited };
  switch (who) {
    case 'Anybody':
      return everybody;
    case 'Signed in':
      return signedIn;
    case 'Operator':
      return { ...signedIn, standard: refused };
    case 'Approver':
      return { ...signedIn, standard: refused, operator: refused };
    case 'Administrator':
      return {
        ...signedIn,
        standard: refused,
        operator: refused,
        approver: refused,
        limited: refused,
      };
    case 'Licensed client':
      return {
        nobody: '401 no_client_token',
        standard: unknown,
        operator: unknown,
        approver: unknown,
        limited: unknown,
        admin: unknown,
        keyWithout: unknown,
        keyWith: unknown,
        revokedClient: '403 client_revoked',
        licensedClient: letIn,
      };
    default:
      throw new Error(`The table has an unknown access: ${who}`);
  }
}

describe('access to calls', () => {
  const service = new SignInApp();
  let close: () => Promise<void>;
  let revoked = '';
  let licensed = '';

  beforeAll(async () => {
    const database = await openMigrated();
    service.database = database;
    service.app = await service.start();
    close = async () => {
      await service.app.close();
      await database.close();
    };
    await service.repopulate();
    const [gone, staying] = [
      await register(service),
      await register(service, { clientName: 'South Hospital', reportsMachines: true }),
    ];
    [revoked, licensed] = [await activate(service, gone), await activate(service, staying)];
    await service.operator.post(`/windows/user/${gone.id}/revoke`);
  });

  afterAll(() => close());

  async function signIn(name: string): Promise<string> {
    const { json } = await service.signIn(name, password, { from: service.newAddress() });
    return String(json['token']);
  }

  interface Callers {
    readonly owner: string;
    readonly standard: string;
    readonly operator: string;
    readonly approver: string;
    readonly limited: string;
    /** API keys by the scope that they lack or have. */
    readonly keys: Map<string, Pick<Outcomes, 'keyWithout' | 'keyWith'>>;
  }
  /** Null after a call that may have ended the sessions or removed the users. */
  let callers: Callers | null = null;

  async function callersFor(key: string) {
    if (callers === null) {
      await service.repopulate();
      await buildUser(service.database, { name: 'Planner', userType: 'Operator' });
      await buildUser(service.database, { name: 'Approver', userType: 'Approver' });
      await buildUser(service.database, {
        name: 'Limited',
        userType: 'Approver',
        machineGroups: [],
      });
      callers = {
        owner: await signIn('Operator'),
        standard: await signIn('Stan'),
        operator: await signIn('Planner'),
        approver: await signIn('Approver'),
        limited: await signIn('Limited'),
        keys: new Map(),
      };
    }
    const { owner, keys, ...people } = callers;
    const needed = apiKeyScopes.filter((scope) => scope === key);
    const by = service.as(owner);
    const found = keys.get(key) ?? {
      keyWithout: await service.createKey(by, ...combinableScopes.filter((scope) => scope !== key)),
      keyWith: await service.createKey(by, ...(needed.length === 0 ? combinableScopes : needed)),
    };
    keys.set(key, found);
    return { owner, ...people, ...found };
  }

  const onlyReads = ({ method, name }: Endpoint) =>
    method === 'GET' || /^(search|relax|summarize|count)_/.test(name);

  test.each(endpoints)('$method $path ($name)', async (call) => {
    const [, , who = '', key = '', groups = ''] =
      lines.find(([method, path]) => method === call.method && path === `/api${call.path}`) ?? [];
    const as = async (token?: string): Promise<string> => {
      const { status, code } = await makeExample(service.app, call, token);
      return status === 401 || status === 403 ? `${status} ${code}` : letIn;
    };
    const { owner, standard, operator, approver, limited, keyWithout, keyWith } =
      await callersFor(key);
    const found: Outcomes = {
      nobody: await as(),
      standard: await as(standard),
      operator: await as(operator),
      approver: await as(approver),
      limited: await as(limited),
      keyWithout: await as(keyWithout),
      keyWith: await as(keyWith),
      revokedClient: await as(revoked),
      licensedClient: await as(licensed),
      // Runs last: the call may end the session that makes it.
      admin: await as(owner),
    };
    if (!onlyReads(call)) callers = null;
    expect(found).toEqual(outcomesSaid(who, key, groups));
  });

  test('has a line in the table for each call, and no other', () => {
    const said = lines
      .filter(([method]) => method !== 'method' && method !== '---')
      .map(([method, path]) => `${method} ${path}`);
    expect(said.toSorted()).toEqual(
      endpoints.map(({ method, path }) => `${method} /api${path}`).toSorted(),
    );
  });
});
