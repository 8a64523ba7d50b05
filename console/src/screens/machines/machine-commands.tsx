/** Commands by platform whose output describes a machine best. */
import { CopyButton } from '../../widgets/copy-button.tsx';
import styles from './check-machine-screen.module.css';

const commands = [
  {
    platform: 'RPM distributions',
    command: String.raw`cat /etc/os-release; uname -r; rpm -qa --qf '%{NAME} %{EPOCHNUM}:%{VERSION}-%{RELEASE} %{ARCH} %{MODULARITYLABEL}\n'`,
  },
  {
    platform: 'Debian, Ubuntu, Pardus',
    command:
      "cat /etc/os-release; uname -r; dpkg-query -W -f='${Package} ${Version} ${Architecture} ${db:Status-Abbrev} ${source:Package} ${source:Version}\\n'",
  },
  { platform: 'Windows', command: 'cmd /c "ver & systeminfo"' },
  { platform: 'macOS', command: 'sw_vers' },
] as const;

export function MachineCommands() {
  return (
    <section aria-label="Commands" className={styles['commands']}>
      <h2>Run on the machine and paste the output</h2>
      <ul>
        {commands.map(({ platform, command }) => (
          <li key={platform}>
            <span>{platform}</span>
            <code>{command}</code>
            <CopyButton text={command} what={`command for ${platform}`} />
          </li>
        ))}
      </ul>
      <p>
        Also accepted: rpm -qa, dpkg -l, apt list, Get-HotFix, wmic qfe, winget list or export, and
        SBOMs in CycloneDX or SPDX. Several outputs can be pasted together.
      </p>
    </section>
  );
}
