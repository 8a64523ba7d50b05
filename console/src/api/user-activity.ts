/** Tracks user activity: an inactive page must not keep the session from its idle timeout. */

const awayAfter = 20 * 60_000;
let lastSeen = Date.now();

const seen = () => {
  lastSeen = Date.now();
};
for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focus'] as const)
  addEventListener(sign, seen, { passive: true });

export function isUserActive(): boolean {
  return Date.now() - lastSeen < awayAfter;
}
