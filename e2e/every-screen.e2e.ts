/** Every screen but the lists, which `every-list.e2e.ts` inspects. */
import { Inspection } from './inspection.ts';
import { test } from './product.ts';
import { otherScreens, partsOfLists, publicScreens, type Screen } from './screens.ts';

// Looking changes nothing: the workers share the looks.
test.describe.configure({ mode: 'parallel', timeout: 600_000 });

/** A list under an open menu needs few rows; it is inspected by itself. */
const withFewRows = (screen: Screen): Screen =>
  screen.path.endsWith('-patch') ? { ...screen, path: `${screen.path}?size=10` } : screen;

for (const [name, screens] of Object.entries({
  'public screens': publicScreens,
  'parts of lists': partsOfLists.map(withFewRows),
  'other screens': otherScreens.map(withFewRows),
}))
  test(`${name} have no barrier, overflow or error`, async ({ page, service }) => {
    if (screens !== publicScreens) await service.enter(page);
    const inspection = await Inspection.of(page);
    for (const screen of screens)
      await test.step(screen.name, async () => {
        await inspection.open(screen);
        await inspection.inspectOpened(screen);
      });
  });
