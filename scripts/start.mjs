/** `npm start`: installs what is missing, builds the console, serves console and API on one port. */
import { become, ensureConsole, ensureInstalled } from './prepare.mjs';

ensureInstalled();
ensureConsole();
become(['server/main.ts']);
