/** Machines found by what is typed into the box of their list. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withMachinesOfClients } from '../testing/machines-of-clients.ts';

describeWithDatabase('queries of machines', (open) => {
  const fleet = withMachinesOfClients(open);

  test.each([
    // Read as criteria alone, as criteria and words, and as words.
    ['linux', ['a', 'b']],
    ['North', ['a', 'w']],
    ['host-b linux', ['b']],
    ['host', ['a', 'b', 'w']],
  ])('finds the machines of %s in their usual order and in others', async (q, expected) => {
    await fleet.add('a');
    await fleet.add('b', undefined, fleet.south);
    await fleet.add(
      'w',
      'OS Name: Microsoft Windows 11 Pro\nOS Version: 10.0.26100 N/A Build 26100\n',
    );
    await fleet.judge();
    for (const sort of ['', '?sort=name', '?sort=-id', '?size=1']) {
      const path = `/machines/search${sort}`;
      const { status, json } = await fleet.service.stan.post(path, { q });
      expect([sort, status, json]).toMatchObject([sort, 200, { totalCount: expected.length }]);
    }
  });
});
