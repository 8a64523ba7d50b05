/** Tries every input of every call with all unexpected values. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { testOddInput } from './testing/odd-input-tests.ts';

testOddInput({ calls: endpoints, pick: (values) => values, leastInputs: 1500 });
