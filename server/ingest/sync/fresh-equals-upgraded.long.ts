/** Each kind of change alone, in every format. */
import { publishings } from '@patch/catalogue/testing/publications/stated-record.ts';
import { testFreshEqualsUpgraded } from './testing/fresh-equals-upgraded-tests.ts';

testFreshEqualsUpgraded(publishings);
