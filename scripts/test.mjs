/** `npm test`: installs what is missing (packages, Node, a browser), then runs every test. Arguments choose suites: unit, browser. */
import { become, ensureBrowser, ensureConsole, ensureInstalled } from './prepare.mjs';

ensureInstalled();
const suites = process.argv.slice(2);
const browser =
  suites.length === 0 || suites.includes('browser') ? { CHROMIUM: ensureBrowser() } : {};
if (Object.hasOwn(browser, 'CHROMIUM')) ensureConsole();
become(['scripts/run-tests.ts', ...suites], browser);
