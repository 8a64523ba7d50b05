/** `npm run fill-mirror -- <folder> [source[:part,part…]]…`: fills a folder for FEED_MIRROR, and says how it went. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { feeds } from '@patch/catalogue/feeds.ts';
import { readConfig } from '../../platform/config/config.ts';
import { StartupError } from '../../platform/config/startup-error.ts';
import { trustedKeysIn } from '../sync/trusted-keys.ts';
import { upstreamOf } from '../sync/upstream-of.ts';
import { chosenParts, UnknownName } from './chosen-parts.ts';
import { fillMirror } from './fill-mirror.ts';

const usage = `Downloads what syncs need into a folder, which FEED_MIRROR can name on a machine that reaches no vendor.

  npm run fill-mirror -- <folder> [source[:part,part…]]…

Without sources all of them are downloaded. Again on the same folder only what has changed is.
The sources are: ${Object.keys(feeds).join(', ')}.
`;

const say = (line: string) => void process.stdout.write(`${line}\n`);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  const [folder, ...names] = positionals;
  if (values.help === true || folder === undefined) {
    process.stdout.write(usage);
    return values.help === true ? 0 : 2;
  }
  const chosen = chosenParts(feeds, names);
  const { dataDir, feedMirror } = readConfig(process.env, process.cwd());
  const stopping = new AbortController();
  const stop = () =>
    stopping.abort(new Error('Stopped. What was laid out is whole; run it again to go on.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const upstream = upstreamOf(feedMirror);
  try {
    const { parts, failed, documents, fresh, bytes } = await fillMirror({
      folder: resolve(folder),
      chosen,
      upstream,
      signal: stopping.signal,
      trustedKeys: (source) => trustedKeysIn(join(dataDir, 'trusted-keys', source)),
      tell: say,
    });
    say(
      `${parts} parts, ${failed} failed; ${documents} documents, ${fresh} new or changed, ${(bytes / 1_048_576).toFixed(0)} MB in all.`,
    );
    return failed > 0 ? 1 : 0;
  } finally {
    upstream.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const known =
    error instanceof UnknownName ||
    error instanceof StartupError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(
    `${known === true || error instanceof Error ? (error as Error).message : String(error)}\n`,
  );
  process.exitCode = known === true ? 2 : 1;
}
