/**
 * What SUSE calls the patches of its repositories: updateinfo names them by patch (`openSUSE-SLE-15.5-2024-91`), people know the
 * bulletins (`SUSE-SU-2024:0140-1`), which list the names of their patches.
 */
import type { Remark } from '../../definition/feed.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { type SuseCsaf, suseCsafDocuments } from './suse-csaf.ts';

export type SuseBulletin = Pick<SuseCsaf, 'id' | 'page'>;

export interface SuseBulletins {
  readonly remarks: readonly Remark[];
  /** The highest of those that list the patch and the release, else of those that list the patch. */
  of(patch: string, release: string): SuseBulletin | undefined;
}

/** Knows none where there is no archive. */
export const readSuseBulletins = readOnce(async (archives): Promise<SuseBulletins> => {
  const known = new Map<string, SuseBulletin>();
  const remarks: Remark[] = [];
  for (const archive of archives) {
    for await (const csaf of suseCsafDocuments(archive)) {
      if (typeof csaf === 'string') {
        remarks.push({
          kind: 'remark',
          remark: `${archive.url}: ${csaf} is not a CSAF document that can be read`,
        });
        continue;
      }
      const { id, page, patches, releases } = csaf;
      for (const patch of patches.filter(isOfRepositories)) {
        for (const release of [...releases, ''])
          keepHighest(known, `${patch} ${release}`, { id, page });
      }
    }
  }
  return {
    remarks,
    of: (patch, release) => known.get(`${patch} ${release}`) ?? known.get(`${patch} `),
  };
});

/** Most names are those of SUSE's other products. */
function isOfRepositories(patch: string): boolean {
  return /^(?:openSUSE-(?:SLE-)?|SUSE-)\d/.test(patch);
}

const { compare } = new Intl.Collator('en', { numeric: true });

function keepHighest(known: Map<string, SuseBulletin>, key: string, bulletin: SuseBulletin): void {
  const other = known.get(key);
  if (other === undefined || compare(bulletin.id, other.id) > 0) known.set(key, bulletin);
}
