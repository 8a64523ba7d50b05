/** Whether the user is active. A page left open must not poll the session's idle timeout away. */

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
