/** Decompresses bzip2 with the system's `bzip2`, which is some ten times faster, or in this process if none exists. */
// oxlint-disable-next-line typescript/triple-slash-reference -- the package ships no types, and a module cannot be imported for ours
/// <reference path="./seek-bzip.d.ts" />
import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import Bunzip from 'seek-bzip';

/** Throws on broken data, at the latest at their end. */
export async function* bunzip(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const tool = await startTool();
  yield* tool === null ? bunzipInThread(source) : bunzipWith(tool, source);
}

type Tool = Awaited<ReturnType<typeof startTool>> & object;

function startTool() {
  const child = spawn('bzip2', ['-dc'], { stdio: ['pipe', 'pipe', 'pipe'] });
  return new Promise<typeof child | null>((resolve) => {
    child.once('spawn', () => resolve(child));
    child.once('error', () => resolve(null));
  });
}

async function* bunzipWith(
  tool: Tool,
  source: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  let complaint = '';
  let sourceFailure: { readonly error: unknown } | null = null;
  tool.stderr.setEncoding('utf8').on('data', (words: string) => {
    complaint = (complaint + words).slice(0, 1000);
  });
  const ended = new Promise<number | null>((resolve) => tool.once('close', resolve));
  // The tool closes its input early on broken data; its exit code reports that, so errors of the pipe are ignored.
  tool.stdin.on('error', () => undefined);
  const input = Readable.from(source);
  input.on('error', (error) => {
    sourceFailure = { error };
    tool.kill();
  });
  input.pipe(tool.stdin);
  try {
    yield* tool.stdout as AsyncIterable<Uint8Array>;
    const code = await ended;
    if (sourceFailure !== null) throw (sourceFailure as { error: unknown }).error;
    if (code !== 0)
      throw new Error(
        complaint
          .split('\n')
          .find((line) => line.startsWith('bzip2: '))
          ?.slice(7) ?? 'the data are damaged',
      );
  } finally {
    input.destroy();
    tool.kill();
  }
}

/** Decompresses block by block, so that memory and event loop are used for only one block (900 kB) at a time. */
export async function* bunzipInThread(
  source: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  const input = createReader(Buffer.concat(pieces));
  let block: Uint8Array[] = [];
  let chunk = Buffer.allocUnsafe(65_536);
  let used = 0;
  const output = {
    writeByte(byte: number) {
      chunk[used++] = byte;
      if (used < chunk.length) return;
      block.push(chunk);
      chunk = Buffer.allocUnsafe(65_536);
      used = 0;
    },
  };
  const stream = new Bunzip(input, output);
  while (!input.eof()) {
    if (stream._init_block()) {
      stream._read_bunzip();
    } else {
      if (stream.reader.read(32) >>> 0 !== stream.streamCRC)
        throw new Error('the checksum of the data differs');
      if (!input.eof()) stream._start_bunzip(input, output);
    }
    yield* block;
    block = [];
    await new Promise(setImmediate);
  }
  if (used > 0) yield chunk.subarray(0, used);
}

function createReader(bytes: Buffer) {
  let at = 0;
  return {
    readByte: () => {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('the data end in the middle');
      return byte;
    },
    read(target: Uint8Array, offset: number, length: number) {
      const copied = bytes.copy(target, offset, at, at + length);
      at += copied;
      return copied;
    },
    eof: () => at >= bytes.length,
  };
}
