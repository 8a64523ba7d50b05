import { readFileSync } from 'node:fs';
import { describeWithMirror, feedMirror } from '@patch/catalogue/testing/describe-with-mirror.ts';
import { expect, test } from 'vitest';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { languageMapRoutes } from './detail-routes.ts';

interface Language {
  readonly languageId: number;
}

const byId = (languages: readonly Language[]) =>
  languages.toSorted((a, b) => a.languageId - b.languageId);

async function answered(): Promise<Language[]> {
  const { status, body } = await ask(
    await appWithRoutes(languageMapRoutes),
    'GET',
    '/windows/language/map',
  );
  const languages = body['objList'] as Language[];
  expect([status, body['totalCount']]).toEqual([200, languages.length]);
  return languages;
}

test('returns 39 distinct languages, including those without a country', async () => {
  const languages = await answered();
  expect(new Set(languages.map(({ languageId }) => languageId)).size).toBe(39);
  expect(languages[0]).toEqual({ languageId: 0, shortLanguage: 'all', longLanguage: 'all' });
  expect(languages).toContainEqual({
    languageId: 66_577,
    shortLanguage: 'ja-nec',
    longLanguage: 'Japanese NEC',
  });
});

describeWithMirror('language map of the update service', () => {
  test('returns the same languages as the mirrored language map', async () => {
    const file = new URL('edge-cases/windows/language_map.json', feedMirror);
    const mirrored = JSON.parse(readFileSync(file, 'utf8')) as Language[];
    expect(byId(await answered())).toEqual(byId(mirrored));
  });
});
