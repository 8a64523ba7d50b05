/** `npm start`: installs what is missing, builds the console, serves console and API on one port. */
import { become, ensureConsole, ensureInstalled } from './prepare.mjs';

ensureInstalled();
ensureConsole();
// Half of what V8 takes for new objects where memory is plenty: the service then holds 90 MB less. Containerfile and bench/bench-service.ts start it the same way.
become(['--max-semi-space-size=16', 'server/main.ts']);
