/** Every input of every call, each with all values that nobody expects. */
import { testOddInput } from './testing/odd-input-tests.ts';

testOddInput((values) => values);
