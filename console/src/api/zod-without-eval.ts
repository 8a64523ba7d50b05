/**
 * The content security policy forbids code made from text. zod would try as soon as the first schema is made, and be reported for it:
 * this module is imported before any that has a schema.
 */
import { config } from 'zod';

config({ jitless: true });
