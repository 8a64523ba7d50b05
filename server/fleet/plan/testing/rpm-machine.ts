/** A machine of AlmaLinux 9 in a folder, and its repository with newer packages and the vendor's updateinfo. */
import { join } from 'node:path';
import { RealMachine } from './real-machine.ts';

interface RpmToBuild {
  readonly name: string;
  /** `[epoch:]version-release`. */
  readonly version: string;
  /** More lines of the spec. */
  readonly more?: string;
}

interface RpmAdvisory {
  readonly id: string;
  readonly severity: string;
  readonly packages: readonly (readonly [name: string, version: string])[];
}

/** Returns epoch, version and release. */
const partsOf = (written: string) => {
  const [, epoch = '0', version = '', release = ''] =
    /^(?:(\d+):)?(.+)-([^-]+)$/.exec(written) ?? [];
  return { epoch, version, release };
};

const fileOf = (name: string, written: string) => {
  const { version, release } = partsOf(written);
  return `${name}-${version}-${release}.x86_64.rpm`;
};

/** The repository is empty. */
export async function buildRpmMachine(
  folder: string,
  host: string,
  installed: readonly RpmToBuild[],
): Promise<RealMachine> {
  const machine = new RealMachine(folder);
  const { root } = machine;
  await machine.write(
    'root/etc/os-release',
    'NAME="AlmaLinux"\nID="almalinux"\nVERSION_ID="9.4"\n',
  );
  await machine.write(
    'root/etc/yum.repos.d/local.repo',
    `[local]\nname=local\nbaseurl=file://${join(folder, 'repository')}\ngpgcheck=0\nenabled=1\n`,
  );
  const old = await buildRpms(machine, installed, join(folder, 'old'));
  await machine.run('rpm', ['--root', root, '-i', '--ignorearch', '--ignoreos', ...old]);
  await machine.addProgram(
    'uname',
    `case $1 in -n) echo ${host} ;; -r) echo 5.14.0-427.13.1.el9.x86_64 ;; *) exec /bin/uname "$@" ;; esac`,
  );
  await machine.addProgram('rpm', `exec /usr/bin/rpm --root ${root} "$@"`);
  const settings = [
    `--installroot=${root}`,
    '--releasever=9',
    '--forcearch=x86_64',
    '--noplugins',
    `--setopt=reposdir=${root}/etc/yum.repos.d`,
    '--setopt=module_platform_id=platform:el9',
    `--setopt=cachedir=${folder}/cache`,
  ];
  await machine.addProgram('dnf', `exec /usr/bin/dnf ${settings.join(' ')} "$@"`);
  return machine;
}

/** Adds packages to the repository, and replaces its advisories. */
export async function publishRpms(
  machine: RealMachine,
  builds: readonly RpmToBuild[],
  advisories: readonly RpmAdvisory[],
): Promise<void> {
  const repository = join(machine.folder, 'repository');
  await buildRpms(machine, builds, repository);
  await machine.run('createrepo_c', ['-q', repository]);
  const updateinfo = await machine.write('updateinfo.xml', updateinfoOf(advisories));
  await machine.run('modifyrepo_c', [updateinfo, join(repository, 'repodata')]);
}

async function buildRpms(
  machine: RealMachine,
  builds: readonly RpmToBuild[],
  target: string,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { name, version: written, more = '' } of builds) {
    const { epoch, version, release } = partsOf(written);
    const spec = await machine.write(
      `${name}.spec`,
      `Name: ${name}\nEpoch: ${epoch}\nVersion: ${version}\nRelease: ${release}\nSummary: x\nLicense: x\n${more}\n%description\nx\n%files\n`,
    );
    const defines = [
      `_topdir ${machine.folder}/build`,
      `_rpmdir ${target}`,
      '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm',
    ].flatMap((define) => ['--define', define]);
    await machine.run('rpmbuild', ['-bb', '--target', 'x86_64-linux', ...defines, spec]);
    files.push(join(target, fileOf(name, written)));
  }
  return files;
}

/** Writes advisories in the form of AlmaLinux. */
function updateinfoOf(advisories: readonly RpmAdvisory[]): string {
  const updates = advisories.map(({ id, severity, packages }) => {
    const listed = packages.map(([name, written]) => {
      const { epoch, version, release } = partsOf(written);
      return `<package name="${name}" version="${version}" release="${release}" epoch="${epoch}" arch="x86_64" src="${name}.src.rpm"><filename>${fileOf(name, written)}</filename></package>`;
    });
    return `<update from="packager@almalinux.org" status="final" type="security" version="3">
<id>${id}</id><title>${severity}: update</title><issued date="2026-01-01 00:00:00"/><updated date="2026-01-01 00:00:00"/>
<severity>${severity}</severity><summary>x</summary><description>x</description>
<pkglist><collection short="almalinux-9-for-x86_64-baseos-rpms__9_0_default"><name>almalinux-9-for-x86_64-baseos-rpms__9_0_default</name>${listed.join('')}</collection></pkglist></update>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<updates>\n${updates.join('\n')}\n</updates>\n`;
}
