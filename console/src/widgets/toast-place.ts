/** Where messages stand so that they cover no action: in their column as far up as there is room. */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const gap = 4;

/**
 * The first place from `from` down where a box of that height and those sides meets none of the others and ends above `to`;
 * `from` itself where there is none. All in pixels of the window.
 */
export function freeTop(
  { left, right, top, bottom }: Box,
  others: readonly Box[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const height = bottom - top;
  const beside = others.filter((other) => other.right > left && other.left < right);
  const places = [from, ...beside.map((other) => other.bottom + gap)]
    .filter((place) => place >= from && place + height <= to)
    .toSorted((a, b) => a - b);
  const isFree = (place: number) =>
    beside.every((other) => other.bottom + gap <= place || other.top - gap >= place + height);
  return places.find(isFree) ?? from;
}

const actions =
  'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=switch]';
/** Rows fill most pages, and a message has to stand somewhere. */
const inRows = '[data-row], tbody';

/** Moves the messages of each place, one after the other, to where they cover none of the page's actions that can be seen now. */
export function placeToasts(hosts: readonly HTMLElement[], from: number): void {
  const covered: Box[] = Array.from(document.querySelectorAll<HTMLElement>(actions)).flatMap(
    (action) => {
      const place = action.getBoundingClientRect();
      const isAction = place.width > 0 && action.closest(inRows) === null;
      return isAction && isOnTop(action, place, hosts) ? [place] : [];
    },
  );
  for (const host of hosts) {
    host.style.top = `${from}px`;
    const box = host.getBoundingClientRect();
    if (box.height === 0) continue;
    const top = freeTop(box, covered, { from, to: innerHeight });
    host.style.top = `${top}px`;
    covered.push({ left: box.left, right: box.right, top, bottom: top + box.height });
  }
}

/** What lies under a dialog, outside of the window or in a message is no action of the page now. */
function isOnTop(action: HTMLElement, place: DOMRect, hosts: readonly HTMLElement[]): boolean {
  const isMessage = (element: Element) => hosts.some((host) => host.contains(element));
  if (isMessage(action)) return false;
  const [x, y] = [(place.left + place.right) / 2, (place.top + place.bottom) / 2];
  const top = document.elementsFromPoint(x, y).find((element) => !isMessage(element));
  return top !== undefined && (action.contains(top) || top.contains(action));
}
