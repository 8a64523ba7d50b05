/** Unpacks one cabinet in a thread, because 7-Zip in WebAssembly supports MSZIP, LZX and Quantum but blocks its event loop. */
import { basename, dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import sevenZip, { type FileSystem } from '7z-wasm';

export interface CabinetToUnpack {
  readonly cabinet: string;
  /** The target folder; null to return the files. */
  readonly into: string | null;
  /** Names and patterns; empty for all. */
  readonly only: readonly string[];
  readonly maxBytes: number;
}

/** The files are empty after unpacking into a folder. */
export type Unpacked =
  | { readonly kind: 'files'; readonly files: ReadonlyMap<string, Uint8Array> }
  | { readonly kind: 'failed'; readonly problem: string; readonly diskFull: boolean };

const noSpaceLeft = 51;

async function unpack({ cabinet, into, only, maxBytes }: CabinetToUnpack): Promise<Unpacked> {
  const complaints: string[] = [];
  const program = await sevenZip.default({
    print: () => undefined,
    printErr: (line) => complaints.push(line),
  });
  const { FS, NODEFS } = program;
  FS.mkdir('/from');
  FS.mount(NODEFS, { root: dirname(cabinet) }, '/from');
  FS.mkdir('/into');
  if (into !== null) FS.mount(NODEFS, { root: into }, '/into');

  let written = 0;
  let diskFull = false;
  const operations = fileOperations(FS);
  const write = operations.write.bind(operations);
  operations.write = (...values) => {
    written += values[3];
    if (written > maxBytes) throw new Error('too many bytes');
    try {
      return write(...values);
    } catch (error) {
      diskFull ||= (error as { errno?: unknown }).errno === noSpaceLeft;
      throw error;
    }
  };
  // Options: no report, no progress, yes to all, cabinet format whatever the name, case-insensitive names.
  const options = ['-bso0', '-bsp0', '-y', '-tcab', '-ssc-', '-o/into'];
  try {
    const code: unknown = program.callMain([
      'x',
      ...options,
      '--',
      `/from/${basename(cabinet)}`,
      ...only,
    ]);
    if (code === 0)
      return { kind: 'files', files: into === null ? filesBelow(FS, '/into') : new Map() };
  } catch {
    // An error of the file system passes through 7-Zip and arrives as a number.
  }
  if (written > maxBytes)
    return {
      kind: 'failed',
      problem: `it opens to more than ${maxBytes.toLocaleString('en')} bytes`,
      diskFull,
    };
  return { kind: 'failed', problem: problemIn(complaints), diskFull };
}

interface FileOperations {
  write(stream: unknown, buffer: unknown, offset: number, length: number, position: number): number;
}

/** Returns the operations that all files of /into share, which the package's types omit. */
function fileOperations(FS: FileSystem): FileOperations {
  FS.writeFile('/into/probe', '');
  const { node } = FS.lookupPath('/into/probe');
  FS.unlink('/into/probe');
  return (node as unknown as { readonly stream_ops: FileOperations }).stream_ops;
}

function filesBelow(FS: FileSystem, top: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const folders = [top];
  for (const folder of folders) {
    for (const name of FS.readdir(folder)) {
      if (name === '.' || name === '..') continue;
      const path = `${folder}/${name}`;
      if (FS.isDir(FS.stat(path).mode)) folders.push(path);
      else files.set(path.slice(top.length + 1), FS.readFile(path));
    }
  }
  return files;
}

/** Extracts 7-Zip's error text: 'ERROR: Data Error : x/11001'. */
function problemIn(complaints: readonly string[]): string {
  const words = complaints.map((line) => line.replace(/^.*?ERRORS?:\s*/, '').trim());
  const [first = 'the data are damaged'] = words.filter(
    (line) => line !== '' && !line.startsWith('/from/'),
  );
  if (first.startsWith('Cannot open the file as')) return 'it is not a cabinet';
  return first.replace(/^[^:]+/, (before) => before.trim().toLowerCase()).replace(' : ', ': ');
}

const unpacked = await unpack(workerData as CabinetToUnpack);
const bodies =
  unpacked.kind === 'files'
    ? [...unpacked.files.values()].map(({ buffer }) => buffer as ArrayBuffer)
    : [];
parentPort?.postMessage(unpacked, bodies);
