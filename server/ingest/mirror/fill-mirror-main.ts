/** `npm run fill-mirror -- <folder> [source[:part,part…]]…`: fills a folder for FEED_MIRROR, and prints the result. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { feeds } from '@patch/catalogue/feeds.ts';
import { readConfig } from '../../platform/config/config.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { createUpstream } from '../fetching/create-upstream.ts';
import { readTrustedKeys } from '../fetching/trusted-keys.ts';
import { resolveParts, UnknownNameError } from './chosen-parts.ts';
import { fillMirror } from './fill-mirror.ts';

const usage = `Downloads the documents that syncs need into a folder. Set FEED_MIRROR to the folder on a machine without access to vendors.

  npm run fill-mirror -- <folder> [source[:part,part…]]…

Without sources, downloads all of them. Run it again on the same folder to download only changes.
Sources: ${Object.keys(feeds).join(', ')}.
`;

const print = (line: string) => void process.stdout.write(`${line}\n`);

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
  const chosen = resolveParts(feeds, names);
  const { dataDir, feedMirror } = readConfig(process.env, process.cwd());
  const stopping = new AbortController();
  const stop = () =>
    stopping.abort(
      new Error('Stopped. Downloaded files are complete. Run the command again to continue.'),
    );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const upstream = createUpstream(feedMirror);
  try {
    const { parts, failed, documents, fresh, bytes } = await fillMirror({
      folder: resolve(folder),
      chosen,
      upstream,
      signal: stopping.signal,
      trustedKeys: (source) => readTrustedKeys(join(dataDir, 'trusted-keys', source)),
      print,
    });
    print(
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
    error instanceof UnknownNameError ||
    error instanceof StartupError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(
    `${known === true || error instanceof Error ? (error as Error).message : String(error)}\n`,
  );
  process.exitCode = known === true ? 2 : 1;
}
