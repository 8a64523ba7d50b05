import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { storedFeedRemark, storedRunMessage } from './stored-run-message.ts';
import { smallFeed } from './testing/small-feed.ts';
import { SyncBench } from './testing/sync-bench.ts';

const text = (words: string) => ({ code: 'text', params: { text: words } });

test('reads a sentence of an earlier version as text', () => {
  expect(storedRunMessage('It failed. Try again.')).toEqual(text('It failed. Try again.'));
  expect(storedFeedRemark('it is not signed')).toEqual(text('it is not signed'));
});

test('reads data as it was stored', () => {
  const message = { code: 'cancelled', params: { by: 'Ada' } };
  expect(storedRunMessage(message)).toEqual(message);
});

test.each([
  ['of an unknown code', { code: 'vendor_on_holiday', params: { days: 3 } }],
  ['without its parameters', { code: 'cancelled' }],
  ['that is no message', 7],
])('shows a message %s as it is stored', (_, stored) => {
  expect(storedRunMessage(stored)).toEqual(text(JSON.stringify(stored)));
});

describeWithDatabase('runs of an earlier landing', (open) => {
  test('leave remarks that later runs repeat', async () => {
    const database = await open();
    const bench = await SyncBench.open(database);
    for (const part of ['one', 'two'])
      await bench.publish(`small.example/${part}.json`, [{ id: 'A', title: 'Title' }]);
    await bench.sync(smallFeed);
    const remarks = {
      remarks: [{ remark: 'it is not signed', keys: ['A'] }],
      decisions: ['the vendor lists only 1 of the 30 records known before. The others are kept.'],
      words: { words: [], recordsBeyond: 0 },
      rejections: [],
      rejected: 0,
    };
    await database.query(`update feed_part set remarks = $1::jsonb where part = 'one'`, [
      JSON.stringify(remarks),
    ]);
    const told = [
      'Small one: it is not signed.',
      'Small one: the vendor lists only 1 of the 30 records known before. The others are kept.',
    ];
    expect((await bench.sync(smallFeed)).warnings).toEqual(told);
    expect((await bench.sync(smallFeed)).warnings).toEqual(told);
    await bench.close();
  });
});
