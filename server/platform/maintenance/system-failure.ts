/** Says in sentences why a call of the operating system failed at the terminal, and what to do. */
import { errorCode, isSystemError } from '@patch/contract/base/error-code.ts';
import { partialFileSuffix } from '../files/atomic-file.ts';

const describers: Readonly<Record<string, (file: string) => string>> = {
  ENOSPC: (file) =>
    `The disk of ${file} is full. Free some space, or choose another disk, then run the command again.`,
  ENOENT: (file) => `${file} does not exist. Check the path, then run the command again.`,
  ENOTDIR: (file) => `${file} leads through a file that is no folder. Check the path.`,
  EISDIR: (file) => `${file} is a folder. Give a file.`,
  EACCES: (file) =>
    `This account may not open ${file}. Give it the right, or choose another place.`,
  EROFS: (file) => `The disk of ${file} is read-only. Choose another place.`,
};

/** @param error - Its message is returned when the call named no file, or failed for another reason. */
export function describeSystemFailure(error: Error): string {
  const { path } = error as { readonly path?: unknown };
  const code = errorCode(error) ?? '';
  const describe = describers[code === 'EDQUOT' ? 'ENOSPC' : code === 'EPERM' ? 'EACCES' : code];
  return typeof path === 'string' && describe !== undefined
    ? describe(path.endsWith(partialFileSuffix) ? path.slice(0, -partialFileSuffix.length) : path)
    : error.message;
}

/** Returns a handler that names the file in the error of a call that had it open, which does not. */
export const nameFile =
  (path: string) =>
  (error: unknown): never => {
    if (isSystemError(error) && !('path' in error)) Object.assign(error, { path });
    throw error;
  };
