/** Creates and reads zips in memory for tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { openZip } from '../zip-entries.ts';

export type Files = Readonly<Record<string, Buffer | string>>;

export async function unzipped(bytes: Buffer): Promise<Record<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'patch-zip-'));
  const path = join(folder, 'file.zip');
  writeFileSync(path, bytes);
  const zip = await openZip(path);
  const files: Record<string, Buffer> = {};
  for (const name of zip.sizes.keys()) files[name] = await buffer(await zip.stream(name));
  zip.close();
  rmSync(folder, { recursive: true });
  return files;
}

export function zipped(files: Files): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream as AsyncIterable<Buffer>);
}
