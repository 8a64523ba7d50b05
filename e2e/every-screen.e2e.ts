/** Every screen, in light on a wide window and in dark on a phone: no barrier to using it, no overflow, no error. */
import { seriousViolations } from './accessibility.ts';
import { expect, test } from './product.ts';
import { narrow, open, screens, wide } from './screens.ts';

// Looking changes nothing: the workers share the looks.
test.describe.configure({ mode: 'parallel' });

for (const { colorScheme, viewport } of [
  { colorScheme: 'light', viewport: wide },
  { colorScheme: 'dark', viewport: narrow },
] as const) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport });

    test('shows each screen without barrier, overflow or error', async ({ page, service }) => {
      test.setTimeout(300_000);
      let errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      // The browser tells it to the page and to its issues panel, not to the console.
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(`Forbidden by ${violatedDirective}: ${blockedURI}`))",
      );
      const isPublic = (screen: (typeof screens)[number]) => screen.isPublic === true;
      const shown = screens.filter(({ narrowOnly }) => !narrowOnly || viewport === narrow);
      // Public screens come first: whoever has signed in does not see them.
      const ordered = shown.toSorted((a, b) => Number(isPublic(b)) - Number(isPublic(a)));
      let isSignedIn = false;
      for (const screen of ordered)
        await test.step(screen.name, async () => {
          if (!isPublic(screen) && !isSignedIn) {
            await service.enter(page);
            isSignedIn = true;
          }
          errors = [];
          await open(page, screen);
          expect.soft(await seriousViolations(page), screen.name).toEqual([]);
          const over = await page.evaluate<number>(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect.soft(over, `${screen.name}: pixels over the edge`).toBeLessThanOrEqual(0);
          // A link to an address that is gone is answered with 404, and the browser notes it.
          const others = errors.filter((words) => !words.startsWith('Failed to load resource'));
          expect.soft(others, screen.name).toEqual([]);
        });
    });
  });
}
