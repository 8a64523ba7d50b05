/** Microsoft's cabinets, unpacked into a folder or, what is small in them, into memory. */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { CabinetToUnpack, Unpacked } from './cabinet-thread.ts';
import { maxOpenBytes, openLimit } from './open-limits.ts';

/** A cabinet that cannot be unpacked to its end, or is one of several volumes. */
export class BrokenCabinet extends Error {
  override readonly name = 'BrokenCabinet';
}

export interface UnpackOptions {
  /** Names and patterns, `x/*`; all when absent. What the cabinet does not have is no error. */
  readonly only?: readonly string[];
  /** Of all files together. */
  readonly maxBytes?: number;
}

/** Into a folder that exists; what is written before a failure stays there. Neither the cabinet nor a file in it is ever whole in memory. */
export async function unpackCabinet(
  cabinet: string,
  into: string,
  { only = [], maxBytes = maxOpenBytes }: UnpackOptions = {},
): Promise<void> {
  await unpackOnThread({ cabinet, into, only, maxBytes: await boundBytes(cabinet, maxBytes) });
}

/** The files by name, `x/12345`. */
export async function filesInCabinet(
  cabinet: string,
  { only = [], maxBytes = 512 * 1024 ** 2 }: UnpackOptions = {},
): Promise<ReadonlyMap<string, Uint8Array>> {
  return unpackOnThread({
    cabinet,
    into: null,
    only,
    maxBytes: await boundBytes(cabinet, maxBytes),
  });
}

async function boundBytes(cabinet: string, asked: number): Promise<number> {
  return openLimit((await stat(cabinet)).size, asked).bytes;
}

/** Limits the thread's own heap. The memory of 7-Zip lies outside and is bounded by the bytes that may be written. */
const resourceLimits = { maxOldGenerationSizeMb: 512 };

async function unpackOnThread(
  workerData: CabinetToUnpack,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const thread = new Worker(new URL('./cabinet-thread.ts', import.meta.url), {
    workerData,
    resourceLimits,
  });
  try {
    const unpacked = await new Promise<Unpacked>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('The thread that unpacks cabinets ended early')));
    });
    if (unpacked.kind === 'files') return unpacked.files;
    if (unpacked.diskFull)
      throw Object.assign(new Error('There is no room left to unpack the cabinet'), {
        code: 'ENOSPC',
      });
    throw new BrokenCabinet(unpacked.problem);
  } finally {
    await thread.terminate();
  }
}
