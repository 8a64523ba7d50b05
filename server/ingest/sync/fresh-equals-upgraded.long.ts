/** Tests each kind of change separately, in every format. */
import { publishings } from '@patch/catalogue/testing/publications/stated-record.ts';
import { testFreshEqualsUpgraded } from '../testing/fresh-equals-upgraded-tests.ts';

testFreshEqualsUpgraded(publishings);
