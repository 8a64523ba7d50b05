/** Updates of Windows that Microsoft publishes for subscribers of Extended Security Updates only. */
import type { Machine } from '../machine.ts';
import type { RecordVerdict, WindowsUpdate } from './machine-fixes.ts';
import { revisionOn, windowsBuild } from './windows-builds.ts';
import { productOfMachine } from './windows-products.ts';
import { windowsEndOfSupport } from './windows-support.ts';

/**
 * Products with Extended Security Updates, in the form of productOfMachine, from
 * https://learn.microsoft.com/lifecycle/faq/extended-security-updates. Other products end for everyone, and releases that go on for
 * some editions (Windows 10 version 21H2: LTSC) have the same updates without a subscription.
 */
const extendedProducts: readonly string[] = [
  'windows 7',
  'windows 10 version 22h2',
  'windows server 2008',
  'windows server 2008 r2',
  'windows server 2012',
  'windows server 2012 r2',
];

const dayMs = 86_400_000;

type WindowsMachine = Pick<Machine, 'build' | 'kbs'> &
  Partial<Pick<Machine, 'distribution' | 'architecture'>>;

/**
 * Replaces "missing" by "needs a subscription" for updates after the end of support, unless the machine shows that it has the
 * subscription: one of these updates is installed.
 */
export function withSubscriptions(
  { build, kbs, distribution = null, architecture = null }: WindowsMachine,
  updates: readonly WindowsUpdate[],
  verdicts: ReadonlyMap<string, RecordVerdict>,
): ReadonlyMap<string, RecordVerdict> {
  const machine = { build, distribution, architecture };
  const product = productOfMachine(machine)?.replace(/ \(\w+\)$/, '') ?? '';
  const end = windowsEndOfSupport(machine);
  if (end === null || !extendedProducts.includes(product)) return verdicts;
  const endsAt = Date.parse(end) + dayMs;
  const extended = updates.filter(
    ({ releaseDate }) => releaseDate !== null && releaseDate >= endsAt,
  );
  const own = windowsBuild(build);
  const isInstalled = ({ kb, fixedBuilds }: WindowsUpdate): boolean => {
    const fixed = revisionOn(own?.branch ?? '', fixedBuilds);
    const revision = own?.revision ?? null;
    return kbs.includes(kb) || (fixed !== null && revision !== null && revision >= fixed);
  };
  if (extended.some(isInstalled)) return verdicts;
  const keys = new Set(extended.map(({ key }) => key));
  return new Map(
    [...verdicts].map(([key, verdict]) => [
      key,
      verdict.kind === 'missing' && keys.has(key)
        ? { kind: 'needsSubscription', evidence: verdict.evidence }
        : verdict,
    ]),
  );
}
