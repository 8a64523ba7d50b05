/** The lists and screens in groups with headings. A collapsed sidebar shows only the marks, with names as tooltips. */
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useSession } from '../api/session.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import styles from './sidebar.module.css';
import { filterEntries, type SidebarEntry, sidebarGroups } from './sidebar-entries.ts';

export interface SidebarProps {
  readonly collapsed: boolean;
  /** Called after an entry was chosen. Closes the drawer on a narrow screen. */
  readonly onChosen?: () => void;
}

export function Sidebar({ collapsed, onChosen }: SidebarProps) {
  const { user } = useSession();
  const id = useId();
  return (
    <nav
      id="sidebar"
      className={styles['sidebar']}
      aria-label="Main"
      data-collapsed={collapsed || undefined}
    >
      {sidebarGroups.map(({ heading, entries }) => (
        <div key={heading} className={styles['group']}>
          <h2 id={`${id}${heading}`} className={styles['heading']}>
            <span className={collapsed ? 'visually-hidden' : ''}>{heading}</span>
          </h2>
          <ul className={styles['entries']} aria-labelledby={`${id}${heading}`}>
            {filterEntries(entries, user).map((entry) => (
              <li key={entry.path}>
                <EntryLink entry={entry} collapsed={collapsed} onChosen={onChosen} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function EntryLink({
  entry,
  collapsed,
  onChosen,
}: {
  readonly entry: SidebarEntry;
  readonly collapsed: boolean;
  readonly onChosen: (() => void) | undefined;
}) {
  return (
    <Link
      to={entry.path}
      search={{}}
      activeOptions={{ includeSearch: false }}
      className={styles['entry']}
      {...(collapsed && { 'data-tip': entry.label, 'data-tip-side': 'right' })}
      onClick={() => onChosen?.()}
    >
      <VendorMark of={entry.mark} size={20} />
      <span className={collapsed ? 'visually-hidden' : styles['label']}>{entry.label}</span>
    </Link>
  );
}
