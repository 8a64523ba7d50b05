/** Words of a query that name nothing themselves: they join, deny or only connect what the others name. In English, German and Turkish. */
import { fold } from '@patch/catalogue/definition/fold.ts';

const setOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((words) => words.split(' ').map(fold)));

/** Words between values of which each will do. */
export const joining = setOf('or and nor & + , / oder und ve veya');
/** Words of these that stand between flags which are all denied: `not superseded or exploited`. */
export const joiningDenied = setOf('or nor oder veya');

/** Words that deny what follows. */
export const denying = setOf(
  "not non no never neither nor without except excluding exclude excludes excl hide hiding ignore ignoring minus isn't isnt aren't arent wasn't hasn't",
  'nicht kein keine keinen keiner ohne außer ausser',
);
/** Words that deny what precedes. */
export const denyingBefore = setOf('false hariç değil olmayan dışında');

/** Words between a denial and what it denies: `not yet known to be exploited`, `except those of debian`. */
export const fillers = setOf(
  'released published issued the any all a an yet to be been being is are known currently actively already by for on of from marked shown as those that which',
  'erschienen veröffentlicht die der das den von für auf mehr noch als',
);

/** Words that only connect others, and those that say of a record of patches what all are. They are dropped beside others. */
export const connecting: ReadonlySet<string> = new Set([
  ...joining,
  ...setOf(
    'a an are at but by came come do does for from has have how i in is need of on out please published released that the there to was were what which with',
    'cumulative current download fix fixes hotfix latest newest patch patches release security update updates version vulnerabilities vulnerability',
    'bitte der die das für ich im ist kam mit was welche wie sicherheitsupdate sicherheitsupdates sicherheitslücke sicherheitslücken schwachstelle schwachstellen erschienen veröffentlicht',
    'aktualisieren aktualisierung aktuell aktuelle aktuelles kumulativ kumulative kumulatives neu neue neueste neuestes herunterladen',
    'icin için lütfen nasıl guvenlik güvenlik guncelleme güncelleme güncellemesi güncelleştirme güncelleştirmesi yama',
    'açık açığı açıkları güncel indir son sürüm sürümü toplu',
  ),
]);

/** Returns true for a word that is no part of a name or title beside it. */
export const isGrammar = (word: string): boolean =>
  connecting.has(word) || denying.has(word) || denyingBefore.has(word);
