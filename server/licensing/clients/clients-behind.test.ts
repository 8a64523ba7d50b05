import { getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { clientsBehind, coveredClients, positionsByList } from './clients-behind.ts';

const debian = getList('debian_patch');

test('covers the clients licensed for the list, each with its own position in it', () => {
  const licensed = {
    clients: [
      { id: 1, clientName: 'Abbey', families: ['debian'] as const, ring: { id: 5 } },
      { id: 2, clientName: 'Bakery', families: ['almaLinux'] as const, ring: null },
      { id: 3, clientName: 'Clinic', families: ['almaLinux', 'debian'] as const, ring: null },
    ],
    positions: positionsByList([
      { clientId: 3, list: 'almalinux_patch', revision: 9, fetchedOn: 900, passes: null },
      { clientId: 1, list: 'debian_patch', revision: 4, fetchedOn: 400, passes: null },
    ]),
  };
  expect(coveredClients(debian, licensed)).toEqual([
    { id: 1, clientName: 'Abbey', ring: 5, revision: 4, fetchedOn: 400, passes: null },
    { id: 3, clientName: 'Clinic', ring: null, revision: -1, fetchedOn: null, passes: null },
  ]);
});

describe('clientsBehind', () => {
  const client = (id: number, revision: number, ring: number | null = null) => ({
    id,
    clientName: `Client ${id}`,
    ring,
    revision,
    fetchedOn: null,
    passes: null,
  });
  const noneDeclined = () => 0;

  test('sorts by missing critical updates, then important ones, then all', () => {
    const newer = new Map([
      [1, { all: 90, critical: 0, important: 0 }],
      [2, { all: 5, critical: 2, important: 0 }],
      [3, { all: 5, critical: 0, important: 3 }],
      [4, { all: 9, critical: 2, important: 0 }],
    ]);
    const covered = [client(10, 1), client(20, 2), client(30, 3), client(40, 4)];
    expect(clientsBehind(covered, newer, noneDeclined).map(({ id }) => id)).toEqual([
      40, 20, 30, 10,
    ]);
  });

  test('leaves out clients that have everything', () => {
    const newer = new Map([[7, { all: 0, critical: 0, important: 0 }]]);
    expect(clientsBehind([client(1, 7), client(2, 8)], newer, noneDeclined)).toEqual([]);
  });

  test('keeps a client that has fetched everything but what its ring declines', () => {
    const declined = (ring: number | null) => (ring === 5 ? 2 : 0);
    expect(clientsBehind([client(1, 7), client(2, 7, 5)], new Map(), declined)).toMatchObject([
      { id: 2, all: 0, declined: 2 },
    ]);
  });
});
