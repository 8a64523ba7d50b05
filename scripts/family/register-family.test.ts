import { expect, test } from 'vitest';
import { registered } from './register-family.ts';

const registry = `import type { Feed } from './definition/feed.ts';
import { almaFeed } from './vendors/alma/alma-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';

export const feeds = {
  ubuntu: ubuntuFeed,
  alma: almaFeed,
};
`;
const line = (name: string) => ({
  imported: `import { ${name}Feed } from './vendors/${name}/${name}-feed.ts';`,
  entry: `  ${name}: ${name}Feed,`,
  before: '};',
});

test('the import stands where it belongs by name, the entry at the end', () => {
  expect(
    registered(registry, line('candle')),
  ).toBe(`import type { Feed } from './definition/feed.ts';
import { almaFeed } from './vendors/alma/alma-feed.ts';
import { candleFeed } from './vendors/candle/candle-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';

export const feeds = {
  ubuntu: ubuntuFeed,
  alma: almaFeed,
  candle: candleFeed,
};
`);
});

test('a name after all others is imported last', () => {
  expect(registered(registry, line('zephyr'))).toContain(
    "ubuntu-feed.ts';\nimport { zephyrFeed } from './vendors/zephyr/zephyr-feed.ts';\n\n",
  );
});

test('a registry of another form is refused', () => {
  expect(() => registered('export const feeds = {};\n', line('candle'))).toThrow(
    "The registry has no line '};', or imports no vendor",
  );
});
