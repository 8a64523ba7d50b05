/** Every input of every call, each with all values that nobody expects. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { testOddInput } from './testing/odd-input-tests.ts';

testOddInput({ calls: endpoints, pick: (values) => values, leastInputs: 1500 });
