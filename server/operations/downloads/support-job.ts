/**
 * Job that collects the facts for remote support, without secrets: versions, configuration, state of the sources, past runs,
 * warnings, sizes.
 */
import { statfs } from 'node:fs/promises';
import { arch, cpus, freemem, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { feeds } from '@patch/catalogue/feeds.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { ZipFile } from 'yazl';
import { readRunsPage } from '../../ingest/runs/run-history-store.ts';
import { ReleaseHistories } from '../../ingest/sources/release-histories.ts';
import { readAllSourceSettings } from '../../ingest/sources/source-setting-store.ts';
import { readSourceStates } from '../../ingest/sources/source-states.ts';
import { readChannels } from '../../platform/channels/channel-store.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';
import { productVersion } from '../../platform/http/product-version.ts';
import { readMailAccount } from '../../platform/mail/email-config-store.ts';
import { type SecretBox, secretBox } from '../../platform/secrets/secret-box.ts';
import { folderSize } from './download-folder.ts';
import type { JobContext, JobWork } from './job-context.ts';
import { readLogLines } from './log-lines.ts';
import { createMasking, mask, readPassword } from './support-config.ts';
import { readDatabaseFacts, readStoredSettings } from './support-facts-store.ts';

const warningsShown = 2000;
const runsShown = 200;

export const supportJob: JobWork = async (context) => {
  const { path, room, progress } = context;
  const maskText = createMasking(await collectSecrets(context));
  const zip = new ZipFile();
  const write = async (file: NodeJS.WritableStream) => {
    const written = pipeline(Readable.from(zip.outputStream as AsyncIterable<Buffer>), file);
    written.catch(() => undefined);
    for (const [name, facts] of Object.entries(parts)) {
      context.signal.throwIfAborted();
      progress.enter(`Gathering ${name}`);
      // A part that cannot be collected is the most interesting one for support.
      const found = await facts(context).catch((error: unknown) => ({
        notGathered: error instanceof Error ? error.message : String(error),
      }));
      const text =
        typeof found === 'string' ? found : `${JSON.stringify(withoutSecrets(found), null, 2)}\n`;
      zip.addBuffer(Buffer.from(maskText(text)), name);
      progress.rows(1);
    }
    zip.end();
    await written;
  };
  progress.total(Object.keys(parts).length);
  const bytes = await writeAtomically(path, write, { room, onBytes: progress.bytes });
  return {
    message: 'Passwords, keys and tokens are masked. Check the file before you send it.',
    bytes,
  };
};

const parts: Readonly<Record<string, (context: JobContext) => Promise<object | string>>> = {
  'versions.json': async ({ dataDir, clock }) => {
    const { bavail, bsize, blocks } = await statfs(dataDir);
    return {
      madeAt: new Date(clock()).toISOString(),
      product: productVersion,
      node: process.version,
      system: `${type()} ${release()} ${arch()}`,
      cores: cpus().length,
      memory: { total: totalmem(), free: freemem(), ofProcess: process.memoryUsage() },
      upForSeconds: Math.round(process.uptime()),
      disk: { free: bavail * bsize, total: blocks * bsize },
    };
  },
  'configuration.json': async ({ config, database }) => ({
    environment: config.shown,
    settings: Object.fromEntries(await readStoredSettings(database)),
    sources: Object.fromEntries(await readAllSourceSettings(database)),
  }),
  'sources.json': async ({ database, clock }) => ({
    sources: await readSourceStates({
      database,
      feeds,
      clock,
      histories: new ReleaseHistories(database),
    }),
  }),
  'runs.json': async ({ database }) => {
    const { runs, total } = await readRunsPage(database, null, 0, runsShown);
    return { runs: runs.map(withTexts), total };
  },
  'warnings.jsonl': async ({ dataDir }) => {
    const last: string[] = [];
    for await (const line of readLogLines(dataDir, {
      from: null,
      to: null,
      level: 'warn',
      requestId: '',
    })) {
      last.push(line);
      if (last.length > warningsShown * 2) last.splice(0, warningsShown);
    }
    return last
      .slice(-warningsShown)
      .map((line) => `${line}\n`)
      .join('');
  },
  'database.json': async ({ database, dataDir, config }) => ({
    kind: config.shown['databaseUrl'] === null ? 'embedded' : 'server',
    ...(await readDatabaseFacts(database)),
    folders: {
      database: await folderSize(join(dataDir, 'postgres')),
      feedCache: await folderSize(join(dataDir, 'feed-cache')),
      downloads: await folderSize(join(dataDir, 'downloads')),
      logs: await folderSize(join(dataDir, 'logs')),
    },
  }),
};

/** Adds the messages as people read them. */
function withTexts(run: Run) {
  const { message, warnings } = run;
  return {
    ...run,
    messageText: message === null ? null : runMessageText(message),
    warningTexts: warnings.map(runMessageText),
  };
}

/** Returns all known secrets, so that they are masked wherever they occur: in a message, an address, a log line. */
async function collectSecrets({
  config,
  database,
  secretKey,
}: JobContext): Promise<readonly (string | null)[]> {
  const mail = await readMailAccount(database, secretBox(secretKey)).catch(() => null);
  const mirrors = [...(await readAllSourceSettings(database)).values()].map(({ mirror }) =>
    readPassword(mirror),
  );
  const key = Buffer.from(secretKey);
  return [
    ...config.secrets,
    ...(await collectChannelSecrets(database, secretBox(secretKey))),
    mail?.password ?? null,
    ...mirrors,
    key.toString('base64'),
    key.toString('hex'),
  ];
}

/** Shorter parts of an address are words, such as 'services'. */
const minSecretPart = 16;

/** Logs of earlier versions may have a receiver's reply that repeats the address. */
async function collectChannelSecrets(
  database: JobContext['database'],
  box: SecretBox,
): Promise<readonly (string | null)[]> {
  const channels = await readChannels(database);
  return channels.flatMap(({ sealedAddress, sealedSecret, sealedFormerSecret }) => {
    const address = URL.parse(box.open(sealedAddress) ?? '');
    const words = `${address?.pathname ?? ''}${address?.search ?? ''}`.split(/[/?&=]/);
    const secrets = [sealedSecret, sealedFormerSecret].map((sealed) =>
      sealed === null ? null : box.open(sealed),
    );
    return [...secrets, ...words.filter((word) => word.length >= minSecretPart)];
  });
}

const secretName =
  /password(?!s?(Policy|Rules|Set)$)|secret|token|sealed|apikey|api_key|privatekey|hash$/i;

/** Shows a value whose name marks it as secret only as set. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === 'string' ? mask : withoutSecrets(inner),
    ]),
  );
}
