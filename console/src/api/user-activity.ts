/** Tracks user activity: an inactive page must not keep the session from its idle timeout. */

const inactiveAfterMs = 20 * 60_000;
let lastActiveAt = Date.now();

const noteActivity = () => {
  lastActiveAt = Date.now();
};
for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focus'] as const)
  addEventListener(sign, noteActivity, { passive: true });

export function isUserActive(): boolean {
  return Date.now() - lastActiveAt < inactiveAfterMs;
}
