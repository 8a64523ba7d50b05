/**
 * A log file that never fills the disk: at 10 MB it becomes server.log.1, the previous one server.log.2, and so on; the
 * fifth is removed. It is written synchronously, so that no line before a crash is lost.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

export interface RotatedFile {
  write(line: string): void;
  close(): void;
}

export function openRotatedFile(
  folder: string,
  name: string,
  limits = { bytes: 10 * 1024 * 1024, files: 5 },
): RotatedFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  let file = openSync(path, 'a');
  let size = fstatSync(file).size;

  function reopen() {
    closeSync(file);
    file = openSync(path, 'a');
    size = fstatSync(file).size;
  }

  function rotate() {
    // When another process has rotated the same file already, this one only reopens it.
    if (isStillAt(file, path))
      for (let index = limits.files - 1; index >= 1; index--) shiftFile(path, index);
    reopen();
  }

  return {
    write(line) {
      const bytes = Buffer.from(line);
      try {
        if (size > 0 && size + bytes.length > limits.bytes) rotate();
        writeSync(file, bytes);
        size += bytes.length;
      } catch {
        // A full disk must not stop the service; stdout has the line.
      }
    },
    close() {
      closeSync(file);
    },
  };
}

/** Renames the file with the previous number to this number; number 1 follows the current file. */
function shiftFile(path: string, index: number): void {
  const from = index === 1 ? path : `${path}.${index - 1}`;
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, `${path}.${index}`);
}

function isStillAt(file: number, path: string): boolean {
  const here = fstatSync(file);
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === here.ino && there.dev === here.dev;
}
