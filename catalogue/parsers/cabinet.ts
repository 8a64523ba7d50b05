/** Unpacks Microsoft's cabinets into a folder, or small files into memory. */
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { CabinetToUnpack, Unpacked } from './cabinet-thread.ts';
import { maxOpenBytes, openLimit } from './open-limits.ts';

/** A cabinet that cannot be unpacked to its end, or is one of several volumes. */
export class BrokenCabinet extends Error {
  override readonly name = 'BrokenCabinet';
}

export interface UnpackOptions {
  /** Names and patterns such as `x/*`; all files when absent. A name that the cabinet does not have is ignored. */
  readonly only?: readonly string[];
  /** Limit of all files together. */
  readonly maxBytes?: number;
}

/**
 * Unpacks into an existing folder, where files written before a failure remain. Neither the cabinet nor a file in it is ever
 * completely in memory.
 */
export async function unpackCabinet(
  cabinet: string,
  into: string,
  { only = [], maxBytes = maxOpenBytes }: UnpackOptions = {},
): Promise<void> {
  await unpackOnThread({ cabinet, into, only, maxBytes: await boundBytes(cabinet, maxBytes) });
}

/** Returns files by name, such as `x/12345`. */
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

async function boundBytes(cabinet: string, maxBytes: number): Promise<number> {
  return openLimit((await stat(cabinet)).size, maxBytes).bytes;
}

/** Limits the thread's own heap. 7-Zip's memory lies outside of it and is bounded by the bytes that may be written. */
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
      throw Object.assign(new Error('The disk is full; the cabinet cannot be unpacked'), {
        code: 'ENOSPC',
      });
    throw new BrokenCabinet(unpacked.problem);
  } finally {
    await thread.terminate();
  }
}
