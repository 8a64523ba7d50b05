/** Marks of lists and sources: tiles with a monogram or a simple shape, without trademarks of vendors. */

import { catalogueLists, type ListKey } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import styles from './vendor-mark.module.css';

/** Marks of screens and others that are not lists. */
type ScreenMark =
  | 'assignments'
  | 'audit'
  | 'configuration'
  | 'dashboard'
  | 'downloads'
  | 'email'
  | 'exceptions'
  | 'groups'
  | 'machine'
  | 'month'
  | 'plans'
  | 'report'
  | 'rings'
  | 'sso'
  | 'sync'
  | 'users'
  | 'windows';
export type MarkKey = ListKey | ScreenMark;

/** Letters, or strokes on a grid of 24. */
interface Mark {
  /** In degrees; 262 by default. */
  readonly hue?: number;
  readonly letters?: string;
  readonly strokes?: string;
}

const marks: Readonly<Partial<Record<MarkKey, Mark>>> = {
  patch_repository: { strokes: 'm12 5.5 7 3.7-7 3.7-7-3.7zM5.5 13 12 16.4l6.5-3.4' },
  kb_repository: { hue: 245, letters: 'KB' },
  patch: { hue: 230, strokes: 'M6.5 8l1.3 1.3L10 7M6.5 15.2l1.3 1.3 2.2-2.3M13 8.2h5M13 15.4h5' },
  linux_notice: {
    hue: 45,
    strokes: 'M6 10.3v3.4h2.6l6.4 3.6V6.7l-6.4 3.6zM18 10.2a2.6 2.6 0 0 1 0 3.6M9.3 14l1 3.6',
  },
  linux_patch_repository: {
    hue: 55,
    strokes: 'm12 5.5 6 3v7l-6 3-6-3v-7zM6.2 8.7 12 11.6l5.8-2.9M12 11.8v6.4',
  },
  centos_patch: { hue: 310, letters: 'Ce' },
  opensuse_patch: { hue: 140, letters: 'oS' },
  almalinux_patch: { hue: 200, letters: 'Al' },
  amazonlinux_patch: { hue: 65, letters: 'Am' },
  rockylinux_patch: { hue: 165, letters: 'Ro' },
  oracle_linux_patch: { hue: 28, letters: 'Or' },
  debian_patch: { hue: 5, letters: 'De' },
  pardus_patch: { hue: 80, letters: 'Pa' },
  macos_patch: { hue: 285, letters: 'ma' },
  thirdparty_patch: {
    hue: 110,
    strokes: 'M6.5 6.5h4v4h-4zM13.5 13.5h4v4h-4zM6.5 13.5h4v4h-4zM15.5 6v5M13 8.5h5',
  },
  floto_user: {
    hue: 340,
    strokes:
      'M12 11.6a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8M6.4 18c.6-2.8 2.8-4.2 5.6-4.2s5 1.4 5.6 4.2',
  },
  all_patches: { strokes: 'M6 7.5h12M6 12h12M6 16.5h7M15.500 16.300l1.300 1.300 2.200-2.600' },
  vulnerabilities: {
    strokes:
      'M12 5.500l5.500 2v4.300c0 3.400-2.300 5.700-5.500 6.900-3.200-1.200-5.500-3.500-5.500-6.900V7.500zM12 9v3.500M12 15v.1',
  },
  machines: { strokes: 'M5.5 6.5h13v4h-13zM5.5 13.500h13v4h-13zM8.200 8.500h.1M8.200 15.500h.1' },
  configuration: {
    strokes: 'M6 8.5h6.5M16.5 8.5H18M6 15.5h1.5M11.5 15.5H18M14.5 6.7v3.6M9.5 13.7v3.6',
  },
  dashboard: { strokes: 'M6 17.5v-5M10 17.5V8M14 17.5v-3.5M18 17.5V6.5' },
  month: { strokes: 'M5.5 7.5h13v11h-13zM5.5 11h13M9 5.500v3M15 5.500v3M9 14.500h2' },
  downloads: { strokes: 'M12 6v7.5M8.8 10.6 12 13.8l3.2-3.2M6 17.8h12' },
  plans: { letters: 'Pl' },
  report: { letters: 'Re' },
  exceptions: { letters: 'Ex' },
  assignments: { letters: 'As' },
  groups: { letters: 'Gr' },
  rings: { letters: 'Ri' },
  email: { strokes: 'M5.500 7.500h13v9h-13zM5.800 8l6.200 4.800L18.200 8' },
  sso: {
    strokes:
      'M9 15.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6M12 12.500h6.500M16 12.500v2.600M18.300 12.500v2',
  },
  sync: {
    strokes:
      'M17.8 10.5A6 6 0 0 0 7 8.7L5.8 10M6.2 13.5A6 6 0 0 0 17 15.3l1.2-1.3M5.8 6.8V10H9M18.2 17.2V14H15',
  },
  users: {
    strokes:
      'M9.5 11.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2M4.8 17.5c.5-2.6 2.3-3.9 4.7-3.9s4.2 1.3 4.7 3.9M14.6 6.3a2.6 2.6 0 0 1 0 4.7M16.2 13.900c1.700.5 2.700 1.700 3 3.600',
  },
  machine: {
    hue: 150,
    strokes: 'M5.5 6h13v8.5h-13zM9.5 18h5M12 14.5v3.5M9.5 10.3l1.7 1.7 3.3-3.3',
  },
  audit: { strokes: 'M8 5.5h8v13l-2-1.3-2 1.3-2-1.3-2 1.3zM10.3 9h3.4M10.3 12.3h3.4' },
  windows: { hue: 245, letters: 'Wi' },
};

/** Returns a monogram with a hue derived from the key for a list without a mark of its own. */
function getMark(key: MarkKey): Mark {
  const hue = key.split('').reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 0);
  const label = catalogueLists.find((list) => list.key === key)?.shortLabel ?? key;
  return marks[key] ?? { hue, letters: label.slice(0, 2) };
}

/** Returns the mark of the source's first list. */
function getSourceMark(source: SourceKey): MarkKey {
  return source === 'wsus'
    ? 'windows'
    : (catalogueLists.find((list) => list.source === source)?.key ?? 'sync');
}

export interface VendorMarkProps {
  readonly of: MarkKey;
  /** In pixels. */
  readonly size?: number | undefined;
}

export function VendorMark({ of, size = 24 }: VendorMarkProps) {
  const { hue = 262, letters, strokes } = getMark(of);
  return (
    <svg
      className={styles['mark']}
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ '--hue': hue }}
    >
      <rect width="24" height="24" rx="6" className={styles['tile']} />
      {letters === undefined ? (
        <path d={strokes} className={styles['strokes']} />
      ) : (
        <text x="12" y="16.1" className={styles['letters']}>
          {letters}
        </text>
      )}
    </svg>
  );
}

export function SourceMark({ of, size }: { readonly of: SourceKey; readonly size?: number }) {
  return <VendorMark of={getSourceMark(of)} size={size} />;
}
