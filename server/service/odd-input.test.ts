/** Every input of every call, each with one in eight of the values that nobody expects; odd-input.long.ts tries all of them. */
import { testOddInput } from './testing/odd-input-tests.ts';

const share = 8;
let turn = 0;

/** Begins where the input before it has not: every value is tried with inputs of its kind. */
testOddInput((values) => {
  turn += 1;
  const first = turn % Math.min(share, values.length);
  return values.filter((_, place) => place % share === first);
});
