/** Positions toasts so that they cover no buttons or links: as far up in their column as there is room. */

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const gap = 4;

/**
 * Returns the first top, from `from` down, at which the box overlaps no other box and ends above `to`; `from` itself when
 * nothing fits. All values are pixels of the window.
 */
export function findFreeTop(
  { left, right, top, bottom }: Box,
  boxes: readonly Box[],
  { from, to }: { readonly from: number; readonly to: number },
): number {
  const height = bottom - top;
  const column = boxes.filter((box) => box.right > left && box.left < right);
  const tops = [from, ...column.map((box) => box.bottom + gap)]
    .filter((candidate) => candidate >= from && candidate + height <= to)
    .toSorted((a, b) => a - b);
  const isFree = (candidate: number) =>
    column.every((box) => box.bottom + gap <= candidate || box.top - gap >= candidate + height);
  return tops.find(isFree) ?? from;
}

const actions =
  'button, a[href], input, select, textarea, summary, [role=button], [role=tab], [role=option], [role=switch]';
/** Actions in rows may be covered, because rows fill most pages. */
const inRows = '[data-row], tbody';

/** Positions the toasts of each host so that they cover no visible action of the page. */
export function positionToasts(hosts: readonly HTMLElement[], from: number): void {
  const occupied: Box[] = Array.from(document.querySelectorAll<HTMLElement>(actions)).flatMap(
    (action) => {
      const bounds = action.getBoundingClientRect();
      const isAction = bounds.width > 0 && action.closest(inRows) === null;
      return isAction && isOnTop(action, bounds, hosts) ? [bounds] : [];
    },
  );
  for (const host of hosts) {
    host.style.top = `${from}px`;
    const box = host.getBoundingClientRect();
    if (box.height === 0) continue;
    const top = findFreeTop(box, occupied, { from, to: innerHeight });
    host.style.top = `${top}px`;
    occupied.push({ left: box.left, right: box.right, top, bottom: top + box.height });
  }
}

/** False for actions below a dialog, outside the window or in a toast. */
function isOnTop(action: HTMLElement, bounds: DOMRect, hosts: readonly HTMLElement[]): boolean {
  const isMessage = (element: Element) => hosts.some((host) => host.contains(element));
  if (isMessage(action)) return false;
  const [x, y] = [(bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2];
  const top = document.elementsFromPoint(x, y).find((element) => !isMessage(element));
  return top !== undefined && (action.contains(top) || top.contains(action));
}
