/** Tests several kinds of changes at once, in every format. fresh-equals-upgraded.long.ts tests each separately. */
import { shortPublishings } from '@patch/catalogue/testing/publications/stated-record.ts';
import { testFreshEqualsUpgraded } from '../testing/fresh-equals-upgraded-tests.ts';

testFreshEqualsUpgraded(shortPublishings);
