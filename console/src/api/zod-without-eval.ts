/**
 * Turns off zod's use of `eval`, which the content security policy reports. Imported before all modules with schemas, because
 * zod tries it with the first schema.
 */
import { config } from 'zod';

config({ jitless: true });
