/** Inspects a screen in a light wide window and in a dark narrow one: no barrier to using it, nothing over the edge, no error. */
import type { Page } from '@playwright/test';
import { seriousViolations } from './accessibility.ts';
import { expect } from './product.ts';
import { narrow, open, openWithin, type Screen, settle, wide } from './screens.ts';

const looks = [
  { colorScheme: 'light', widths: [wide.width] },
  { colorScheme: 'dark', widths: [1024, 768, narrow.width] },
] as const;

export class Inspection {
  readonly #page: Page;
  #errors: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
    page.on('pageerror', (error) => this.#errors.push(String(error)));
    page.on('console', (message) => {
      // A link to an address that is gone is answered with 404, and the browser notes it.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        this.#errors.push(message.text());
    });
  }

  static async of(page: Page): Promise<Inspection> {
    // The browser tells it to the page and to its issues panel, not to the console.
    await page.addInitScript(
      "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => console.error(`Forbidden by ${violatedDirective}: ${blockedURI}`))",
    );
    return new Inspection(page);
  }

  async open(screen: Screen): Promise<void> {
    this.#errors = [];
    await this.#page.emulateMedia({ colorScheme: 'light' });
    await this.#page.setViewportSize(screen.narrowOnly === true ? narrow : wide);
    await this.#openHere(screen);
  }

  #openHere(screen: Screen): Promise<void> {
    return (this.#page.url() === 'about:blank' ? open : openWithin)(this.#page, screen);
  }

  async inspectOpened(screen: Screen): Promise<void> {
    for (const { colorScheme, widths } of looks) {
      await this.#page.emulateMedia({ colorScheme });
      for (const width of screen.narrowOnly === true ? [narrow.width] : widths) {
        await this.#page.setViewportSize({ width, height: width === narrow.width ? 844 : 900 });
        await settle(this.#page);
        const over = await this.#page.evaluate<string[]>(overTheEdge);
        expect.soft(over, `${screen.name} at ${width} px`).toEqual([]);
      }
      // Some open menus close when the window changes.
      if (!(await screen.ready(this.#page).isVisible())) await this.#openHere(screen);
      expect
        .soft(await seriousViolations(this.#page), `${screen.name}, ${colorScheme}`)
        .toEqual([]);
    }
    expect.soft(this.#errors, screen.name).toEqual([]);
  }
}

/** Runs in the page: the page itself when it can be scrolled sideways or past its end, and inputs that are wider than their part of a form. */
const overTheEdge = `[
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ['the page'] : []),
  ...(document.documentElement.scrollHeight > Math.max(innerHeight, Math.ceil(document.getElementById('console').getBoundingClientRect().bottom + scrollY)) ? ['the space below the page'] : []),
  ...Array.from(document.querySelectorAll('section[aria-label] input'))
    .filter((input) => input.getBoundingClientRect().right > input.closest('section').getBoundingClientRect().right)
    .map((input) => 'the input ' + input.id),
]`;
