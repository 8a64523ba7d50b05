/** The files of a publisher in one folder, and the mirror that is filled from them in another. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { folderUpstream } from '../../fetching/create-upstream.ts';
import { type FillMirrorOptions, fillMirror } from '../fill-mirror.ts';

export class FilledFolder {
  vendor = '';
  folder = '';
  readonly printed: string[] = [];

  begin(): void {
    const root = temporaryFolder(onTestFinished);
    [this.vendor, this.folder] = [join(root, 'vendor'), join(root, 'filled')];
    this.printed.length = 0;
  }

  async publish(address: string, text: string): Promise<void> {
    const file = join(this.vendor, address);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  fillChosen(options: Pick<FillMirrorOptions, 'chosen'> & Partial<FillMirrorOptions>) {
    return fillMirror({
      folder: this.folder,
      upstream: folderUpstream(this.vendor),
      signal: new AbortController().signal,
      trustedKeys: () => Promise.resolve([]),
      print: (line) => this.printed.push(line),
      fetcherOptions: { sleep: async () => undefined, tries: 2 },
      ...options,
    });
  }

  /** Reads the files that a sync finds in the mirror, by path. */
  async readFiles(): Promise<Record<string, string>> {
    const names = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = names
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.fill-mirror'))
      .map((entry) => join(entry.parentPath, entry.name));
    const read = async (file: string) =>
      [file.slice(this.folder.length + 1), await readFile(file, 'utf8')] as const;
    return Object.fromEntries(await Promise.all(files.map(read)));
  }
}

/** Each test begins with empty folders, which are removed after it. */
export function withFilledFolder(): FilledFolder {
  const filled = new FilledFolder();
  beforeEach(() => filled.begin());
  return filled;
}
