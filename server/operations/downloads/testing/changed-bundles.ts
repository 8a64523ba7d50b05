/** Bundles that were changed on their way or by another version. */
import { createHash } from 'node:crypto';
import { toFingerprint } from '../../../platform/secrets/service-signer.ts';
import { bundleSigner } from '../bundle-manifest.ts';
import { testKey } from './bundle-exchange.ts';
import { type Files, unzipped, zipped } from './zip-files.ts';

type Manifest = { lists: Record<string, unknown>[] } & Record<string, unknown>;

const almaFile = 'lists/almalinux_patch.jsonl';
const strangerKey = 9;

/** Signs the manifest with the key of the exporting installation, or with another. */
function sign(files: Files, key = 3): Files {
  const signer = bundleSigner(testKey(key));
  const signature = signer.sign(Buffer.from(files['manifest.json'] ?? ''));
  const signed = { algorithm: 'Ed25519', publicKey: signer.publicKey, signature };
  return { ...files, 'signature.json': JSON.stringify(signed) };
}

function withManifest(files: Files, change: (manifest: Manifest) => object): Files {
  const manifest = JSON.parse(String(files['manifest.json'])) as Manifest;
  return { ...files, 'manifest.json': JSON.stringify({ ...manifest, ...change(manifest) }) };
}

const withList = (files: Files, change: object): Files =>
  sign(withManifest(files, ({ lists: [list] }) => ({ lists: [{ ...list, ...change }] })));

const withLines = (files: Files, lines: string): Files =>
  withList(
    { ...files, [almaFile]: lines },
    {
      bytes: Buffer.byteLength(lines),
      sha256: createHash('sha256').update(lines).digest('hex'),
      rows: lines.split('\n').length - 1,
    },
  );

export async function madeAt(bundle: Buffer, time: number): Promise<Buffer> {
  const files = await unzipped(bundle);
  return zipped(sign(withManifest(files, () => ({ madeAt: time }))));
}

/** Returns each bundle with its name and the text of its refusal. */
export function brokenBundles(good: Buffer, files: Files): [string, Buffer | Files, string][] {
  const text = String(files[almaFile]);
  const [first = ''] = text.split('\n');
  const { [almaFile]: _, ...withoutList } = files;
  const novel = { version: 5, product: `\0${'9'.repeat(100_000)}` };
  const key = toFingerprint(bundleSigner(testKey(strangerKey)).publicKey);
  return [
    ['no zip', Buffer.from('not a zip'), 'not a catalogue bundle'],
    ['cut off', good.subarray(0, -100), 'not a catalogue bundle, or is damaged'],
    ['a bit flipped', Buffer.from(good).fill(0x5a, 200, 230), 'damaged'],
    ['another zip', { 'readme.txt': 'hello' }, 'it has no manifest.json'],
    [
      'other content',
      { ...files, [almaFile]: text.replace('title of a', 'title of x') },
      'differs from the signed content',
    ],
    ['shorter content', { ...files, [almaFile]: `${first}\n` }, 'has the wrong size'],
    ['a list missing', withoutList, 'is missing'],
    ['a stranger', { ...files, 'lists/other.jsonl': '' }, 'which is not in its manifest'],
    ['manifest changed', withManifest(files, () => ({ madeAt: 1 })), 'signature does not match'],
    ['foreign key', sign(files, strangerKey), `not trusted here (key ${key})`],
    ['newer', sign(withManifest(files, () => ({ version: 5 }))), 'The bundle has format 5'],
    [
      'unknown list',
      withList(files, { list: 'fedora_patch' }),
      'the list fedora_patch, which this version does not know',
    ],
    [
      'unknown field',
      withLines(files, text.replace('"title"', '"heading"')),
      'Unknown field heading',
    ],
    ['no record', withLines(files, `${text}{}\n`), 'line 4 of AlmaLinux'],
    // The database cannot store either one: the job must end nevertheless.
    ['a name with a NUL', { ...files, 'lists/\0.jsonl': '' }, 'which is not in its manifest'],
    [
      'a version that is a novel',
      withManifest(files, () => novel),
      'The bundle has format 5, of version 999',
    ],
    ['twice', withLines(files, `${text}${first}\n`), 'twice'],
    ['no end', withLines(files, `${text}${first}`), 'middle of a line'],
  ];
}
