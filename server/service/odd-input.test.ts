/** The inputs of all calls, each with one in eight of the values that nobody expects; odd-input.long.ts tries all of them. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { describe } from 'vitest';
import { testOddInput } from './testing/odd-input-tests.ts';

/** The calls of every list are made by the same functions: these have fields of all kinds, or are no vendor's. */
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

describe('inputs are answered or refused, whatever they hold', () => {
  testOddInput({
    calls: endpoints.filter(({ name }) => !repeated.has(name)),
    // Begins where the input before it has not: every value is tried with inputs of its kind.
    pick(values) {
      turn += 1;
      const first = turn % Math.min(share, values.length);
      return values.filter((_, place) => place % share === first);
    },
    leastInputs: 1000,
  });
});
