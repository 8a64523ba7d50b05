/** Runs a TypeScript program of this repository under the pinned Node: node scripts/with-runtime.mjs bench/run-bench.ts --rows 1000 */
import { become, ensureInstalled } from './prepare.mjs';

ensureInstalled();
become(process.argv.slice(2));
