/** Every screen, in light on a wide window and in dark on a phone: no barrier to using it, no overflow, no error. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './product.ts';
import { narrow, open, screens, wide } from './screens.ts';
import { Service } from './service.ts';

// Looking changes nothing: the workers share the screens.
test.describe.configure({ mode: 'parallel' });

const looks = [
  { colorScheme: 'light', viewport: wide },
  { colorScheme: 'dark', viewport: narrow },
] as const;

for (const { colorScheme, viewport } of looks) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport });
    for (const screen of screens.filter(
      ({ narrowOnly }) => narrowOnly === undefined || viewport === narrow,
    )) {
      test(screen.name, async ({ page, request }) => {
        const said: string[] = [];
        page.on('pageerror', (error) => said.push(String(error)));
        page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
        // The browser tells it to the page and to its issues panel, not to the console.
        await page.addInitScript(
          "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(`Forbidden by ${violatedDirective}: ${blockedURI}`))",
        );
        const service = await Service.signedIn(request);
        await service.synced('almaLinux');
        await service.furnished();
        if (screen.isPublic === undefined) await service.enter(page);
        await open(page, screen);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(
          ({ impact }) => impact === 'serious' || impact === 'critical',
        );
        expect(
          serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
        ).toEqual([]);
        const over = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(over, 'pixels over the edge').toBeLessThanOrEqual(0);
        // What a link refers to that is gone is answered with 404, which the browser notes.
        expect(said.filter((words) => !words.startsWith('Failed to load resource'))).toEqual([]);
      });
    }
  });
}
