import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.tsx?$/.test(file),
);
const readText = (file: string) => readFileSync(join(source, file), 'utf8');

test('loads no locale but English and declares the page English', () => {
  expect(files.length).toBeGreaterThan(200);
  const locales = files.flatMap((file) =>
    Array.from(
      readText(file).matchAll(/['"]((?:antd|dayjs|@rc-component)[^'"]*\/locale\/[^'"]+)['"]/g),
      ([, locale]) => `${file} ${locale}`,
    ),
  );
  expect(locales).toEqual([]);
  expect(readFileSync(join(source, '..', 'index.html'), 'utf8')).toContain('<html lang="en"');
});

test('formats numbers and dates in English regardless of the language of the browser', () => {
  const violations = files.flatMap((file) =>
    Array.from(
      readText(file).matchAll(
        /(?:toLocale(?:Date|Time)?String|(?:NumberFormat|DateTimeFormat|RelativeTimeFormat|Collator|Segmenter))\(([^)]*)\)(?!\.resolvedOptions)/g,
      ),
    )
      .filter(([, argument = '']) => !/^\s*['"]en(-\w+)?['"]/.test(argument))
      .map(([call]) => `${file}: ${call}`),
  );
  expect(violations).toEqual([]);
});
