/**
 * Finds the bulletin of a patch: updateinfo names patches (`openSUSE-SLE-15.5-2024-91`), people know the bulletins
 * (`SUSE-SU-2024:0140-1`), which list their patches.
 */
import type { Remark } from '../../definition/feed.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { readSuseCsafDocuments, type SuseCsaf } from './suse-csaf.ts';

export type SuseBulletin = Pick<SuseCsaf, 'id' | 'page'>;

export interface SuseBulletins {
  readonly remarks: readonly Remark[];
  /** Returns the highest bulletin that lists the patch and the release, else the highest that lists the patch. */
  findBulletin(patch: string, release: string): SuseBulletin | undefined;
}

/** Finds no bulletin without an archive. */
export const readSuseBulletins = readOnce(async (archives): Promise<SuseBulletins> => {
  const known = new Map<string, SuseBulletin>();
  const remarks: Remark[] = [];
  for (const archive of archives) {
    for await (const csaf of readSuseCsafDocuments(archive)) {
      if (typeof csaf === 'string') {
        remarks.push({
          kind: 'remark',
          remark: `${archive.url}: ${csaf} is not a CSAF document that can be read`,
        });
        continue;
      }
      const { id, page, patches, releases } = csaf;
      for (const patch of patches.filter(isRepositoryPatch)) {
        for (const release of [...releases, ''])
          setHighest(known, `${patch} ${release}`, { id, page });
      }
    }
  }
  return {
    remarks,
    findBulletin: (patch, release) => known.get(`${patch} ${release}`) ?? known.get(`${patch} `),
  };
});

/** Most patches are of SUSE's other products. */
function isRepositoryPatch(patch: string): boolean {
  return /^(?:openSUSE-(?:SLE-)?|SUSE-)\d/.test(patch);
}

const { compare } = new Intl.Collator('en', { numeric: true });

function setHighest(highest: Map<string, SuseBulletin>, key: string, bulletin: SuseBulletin): void {
  const known = highest.get(key);
  if (known === undefined || compare(bulletin.id, known.id) > 0) highest.set(key, bulletin);
}
