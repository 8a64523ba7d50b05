/** Tries the inputs of all calls, each with one in eight of the unexpected values; odd-input.long.ts tries all of them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { describe } from 'vitest';
import { testOddInput } from './testing/odd-input-tests.ts';

/** The calls of all lists share their code: these lists have fields of all kinds, or belong to no vendor. */
const triedLists: readonly string[] = [
  'patch_repository',
  'thirdparty_patch',
  'all_patches',
  'vulnerabilities',
  'machines',
];
const repeated = new Set(
  catalogueLists
    .filter(({ key }) => !triedLists.includes(key))
    .flatMap(({ key }) => ['search', 'read', 'relax', 'summarize'].map((does) => `${does}_${key}`)),
);

const share = 8;
let turn = 0;

describe('unexpected input', () => {
  testOddInput({
    calls: endpoints.filter(({ name }) => !repeated.has(name)),
    // Begins one value further for each input, so that inputs of one kind cover every value.
    pick(values) {
      turn += 1;
      const first = turn % Math.min(share, values.length);
      return values.filter((_, index) => index % share === first);
    },
    leastInputs: 1000,
  });
});
