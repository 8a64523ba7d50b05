/** A machine of Debian 12 in a folder, and its repository with newer packages. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RealMachine } from './real-machine.ts';

interface DebToBuild {
  readonly name: string;
  readonly version: string;
  /** The source package, with its version in brackets where it differs. */
  readonly source: string;
  readonly depends?: string;
}

/** The repository is empty. */
export async function buildDebMachine(
  folder: string,
  host: string,
  installed: readonly DebToBuild[],
): Promise<RealMachine> {
  const settings = join(folder, 'apt.conf');
  const machine = new RealMachine(folder, { APT_CONFIG: settings });
  const { root } = machine;
  const dpkg = join(root, 'var/lib/dpkg');
  await machine.write(
    'apt.conf',
    [
      `Dir "${root}";`,
      `Dir::State::status "${dpkg}/status";`,
      'APT::Sandbox::User "root";',
      'APT::Architecture "amd64";',
      'APT::Architectures { "amd64"; };',
      'Acquire::Languages "none";',
      `DPkg::Options { "--root=${root}"; "--log=${folder}/dpkg.log"; };`,
      'Dpkg::Use-Pty "false";',
    ].join('\n'),
  );
  await machine.write(
    'root/etc/os-release',
    'NAME="Debian GNU/Linux"\nVERSION_ID="12"\nID=debian\n',
  );
  await machine.write(
    'root/etc/apt/sources.list',
    `deb [trusted=yes] copy:${join(folder, 'repository')} ./\n`,
  );
  await machine.write('root/var/lib/dpkg/status', '');
  for (const path of [
    'etc/apt/apt.conf.d',
    'etc/apt/preferences.d',
    'var/lib/apt/lists/partial',
    'var/cache/apt/archives/partial',
    'var/log/apt',
    'var/lib/dpkg/info',
    'var/lib/dpkg/updates',
  ])
    await mkdir(join(root, path), { recursive: true });
  const old = await buildDebs(machine, installed, 'old');
  await machine.run('dpkg', [`--root=${root}`, `--log=${folder}/dpkg.log`, '-i', ...old]);
  await machine.addProgram(
    'uname',
    `case $1 in -n) echo ${host} ;; -r) echo 6.1.0-18-amd64 ;; *) exec /bin/uname "$@" ;; esac`,
  );
  await machine.addProgram('dpkg-query', `exec /usr/bin/dpkg-query --admindir=${dpkg} "$@"`);
  return machine;
}

/** Adds packages to the repository. */
export async function publishDebs(
  machine: RealMachine,
  builds: readonly DebToBuild[],
): Promise<void> {
  await buildDebs(machine, builds, 'repository');
  await machine.runScript('cd repository && dpkg-scanpackages -m . /dev/null >Packages\n');
}

async function buildDebs(
  machine: RealMachine,
  builds: readonly DebToBuild[],
  target: string,
): Promise<readonly string[]> {
  const files: string[] = [];
  await mkdir(join(machine.folder, target), { recursive: true });
  for (const { name, version, source, depends } of builds) {
    const tree = `build-${name}`;
    await machine.write(
      `${tree}/DEBIAN/control`,
      `Package: ${name}\nSource: ${source}\nVersion: ${version}\nArchitecture: amd64\nMaintainer: x <x@example.com>\n${depends === undefined ? '' : `Depends: ${depends}\n`}Description: x\n`,
    );
    const file = join(machine.folder, target, `${name}_${version.replace(':', '%3a')}.deb`);
    await machine.run('dpkg-deb', ['--root-owner-group', '-b', join(machine.folder, tree), file]);
    files.push(file);
  }
  return files;
}
