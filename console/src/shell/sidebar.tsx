/** The lists and what else there is to open, each with its mark; collapsed, the marks alone with their names in tooltips. */
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { VendorMark } from '../widgets/vendor-mark.tsx';
import styles from './sidebar.module.css';
import {
  addedEntries,
  entriesFor,
  type SidebarEntry,
  specifiedEntries,
} from './sidebar-entries.ts';

export interface SidebarProps {
  readonly collapsed: boolean;
  /** After an entry was chosen: closes the drawer that a narrow screen shows it in. */
  readonly onChosen?: () => void;
}

export function Sidebar({ collapsed, onChosen }: SidebarProps) {
  const userType = useSession().user?.userType;
  const entries = (list: readonly SidebarEntry[]) => (
    <ul className={styles['entries']}>
      {entriesFor(list, userType).map((entry) => (
        <li key={entry.path}>
          <Link
            to={entry.path}
            search={{}}
            activeOptions={{ includeSearch: false }}
            className={styles['entry']}
            {...(collapsed && { 'data-tip': entry.label, 'data-tip-side': 'right' })}
            onClick={() => onChosen?.()}
          >
            <VendorMark of={entry.mark} />
            <span className={collapsed ? 'visually-hidden' : styles['label']}>{entry.label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
  return (
    <nav
      id="sidebar"
      className={styles['sidebar']}
      aria-label="Main"
      data-collapsed={collapsed || undefined}
    >
      {entries(specifiedEntries)}
      <hr className={styles['divider']} />
      {entries(addedEntries)}
    </nav>
  );
}
