/** Several kinds of changes at once, in every format; fresh-equals-upgraded.long.ts tries each of them alone. */
import { shortPublishings } from '@patch/catalogue/testing/publications/stated-record.ts';
import { testFreshEqualsUpgraded } from './testing/fresh-equals-upgraded-tests.ts';

testFreshEqualsUpgraded(shortPublishings);
