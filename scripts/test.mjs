/** `npm test` and `npm run test:long`: installs what is missing (packages, Node, a browser), then runs the tests. Arguments choose suites (unit, browser) or, behind `long`, sections. */
import { become, ensureBrowser, ensureConsole, ensureInstalled } from './prepare.mjs';

ensureInstalled();
const args = process.argv.slice(2);
const needsBrowser = args.length === 0 || args.includes('browser');
const browser = needsBrowser ? { CHROMIUM: ensureBrowser() } : {};
if (needsBrowser) ensureConsole();
become(['scripts/run-tests.ts', ...args], browser);
