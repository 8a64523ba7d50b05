/** `npm run pages`: builds the console when it has changed, then measures its pages. Arguments are passed on. */
import { become, ensureBrowser, ensureConsole, ensureInstalled } from './prepare.mjs';

ensureInstalled();
const browser = { CHROMIUM: ensureBrowser() };
ensureConsole();
become(['bench/measure-pages.ts', ...process.argv.slice(2)], browser);
