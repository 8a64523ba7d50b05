import { expect, test } from 'vitest';
import { maxBackgroundWaitMs, TurnQueue } from './turn-queue.ts';

function setUp() {
  let now = 0;
  const ran: string[] = [];
  const heard: (() => void)[] = [];
  const queue = new TurnQueue(
    () => heard.splice(0).forEach((come) => come()),
    () => now,
  );
  const owner = {};
  const add = (
    name: string,
    priority: 'interactive' | 'yielding' | 'background',
    of: object = owner,
  ) => {
    queue.add({
      priority,
      owner: of,
      id: Number(name.slice(1)),
      run: async () => {
        await Promise.resolve();
        ran.push(name);
        now += 100;
      },
    });
  };
  return {
    queue,
    ran,
    heard,
    add,
    owner,
    done: () => new Promise((resolve) => setTimeout(resolve, 5)),
  };
}

test('people come before a sync, in the order in which they came', async () => {
  const { add, ran, done } = setUp();
  add('b1', 'background');
  add('b2', 'background');
  add('i1', 'interactive');
  add('i2', 'interactive');
  await done();
  expect(ran).toEqual(['b1', 'i1', 'i2', 'b2']);
});

test('the parts of a long search go after all that others ask, and before a sync', async () => {
  const { add, ran, done } = setUp();
  add('b1', 'background');
  add('b2', 'background');
  add('y1', 'yielding');
  add('y2', 'yielding');
  add('i1', 'interactive');
  await done();
  expect(ran).toEqual(['b1', 'i1', 'y1', 'y2', 'b2']);
});

test('a part of a long search that has waited long enough gets a turn', async () => {
  const { add, ran, done } = setUp();
  add('i100', 'interactive');
  add('y1', 'yielding');
  for (let n = 0; n < 10; n += 1) add(`i${n}`, 'interactive');
  await done();
  expect(ran.indexOf('y1')).toBe(maxBackgroundWaitMs / 100 + 1);
});

test('a sync that has waited long enough gets a turn', async () => {
  const { add, ran, done } = setUp();
  const people = Array.from({ length: 10 }, (_, n) => `i${n}`);
  add('i100', 'interactive');
  add('b1', 'background');
  for (const name of people) add(name, 'interactive');
  await done();
  const turnsBefore = maxBackgroundWaitMs / 100 + 1;
  expect(ran.indexOf('b1')).toBe(turnsBefore);
});

test('who came while a turn ran is heard before the next is chosen', async () => {
  const { add, ran, heard, done } = setUp();
  add('b1', 'background');
  add('b2', 'background');
  heard.push(() => add('i1', 'interactive'));
  await done();
  expect(ran).toEqual(['b1', 'i1', 'b2']);
});

test('what has not begun can be taken back: one turn, or all of an owner', async () => {
  const { queue, add, ran, owner, done } = setUp();
  const other = {};
  add('i1', 'interactive');
  add('i2', 'interactive');
  add('i3', 'interactive', other);
  add('i4', 'interactive', other);
  expect(queue.forget(owner, 2)).toBe(true);
  expect(queue.forget(owner, 1)).toBe(false);
  queue.forget(other);
  await done();
  expect(ran).toEqual(['i1']);
});
