/** Programs in C that read what vendors publish, as far as this machine has them; nothing of theirs is kept here but how they are called. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CReader {
  readonly name: string;
  readonly reads: 'updateinfo' | 'packages';
  /** Debian's packages that bring it. */
  readonly install: string;
  /** Reads the file of that path; null where the program is not installed. */
  readonly command: ((path: string) => readonly string[]) | null;
}

/** What has to be built is built in the folder. */
export function cReaders(folder: string): readonly CReader[] {
  return [
    {
      name: 'createrepo_c (cr_xml_parse_updateinfo)',
      reads: 'updateinfo',
      install: 'gcc pkg-config libcreaterepo-c-dev',
      command: createrepoReader(folder),
    },
    {
      name: 'libsolv (updateinfoxml2solv)',
      reads: 'updateinfo',
      install: 'libsolv-tools',
      command: shell('updateinfoxml2solv', 'updateinfoxml2solv < "$1" > /dev/null'),
    },
    {
      name: 'dctrl-tools (grep-dctrl)',
      reads: 'packages',
      install: 'dctrl-tools',
      command: shell(
        'grep-dctrl',
        'grep-dctrl -n -s Package,Version,Architecture,Source -F Architecture amd64 "$1" > /dev/null',
      ),
    },
  ];
}

function shell(program: string, line: string): CReader['command'] {
  const installed = spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
  return installed ? (path) => ['sh', '-c', line, 'sh', path] : null;
}

/** createrepo_c has no command that only reads; its library is asked by a few lines of C. */
function createrepoReader(folder: string): CReader['command'] {
  const flags = spawnSync(
    'pkg-config',
    ['--cflags', '--libs', 'createrepo_c', 'glib-2.0', 'libxml-2.0'],
    { encoding: 'utf8' },
  );
  if (flags.status !== 0) return null;
  const program = join(folder, 'updateinfo-reader');
  const source = fileURLToPath(new URL('./updateinfo-reader.c', import.meta.url));
  // Debian's file names no folder after -L, which would then take the library's name for one.
  const options = flags.stdout
    .trim()
    .split(/\s+/)
    .filter((flag) => flag !== '-L');
  const built = spawnSync('gcc', ['-O2', '-o', program, source, ...options]);
  return built.status === 0 ? (path) => [program, path] : null;
}
