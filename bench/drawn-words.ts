/** Words of the measured titles, drawn by a seed: nobody has tuned the product for them. */
import { madeEntry } from './errata-generator.ts';

export interface DrawnWords {
  /** Texts within words that 3 to 8 of a hundred titles contain. */
  readonly common: readonly string[];
  /** Texts that fewer than one of two hundred titles contains. */
  readonly rare: readonly string[];
  /** Two letters each. */
  readonly short: readonly string[];
}

const sampled = 20_000;
const leastLetters = 4;

/** `random`: from 0 to below 1. `count`: of each kind; fewer where the titles have fewer. */
export function drawWords(random: () => number, rows: number, count: number): DrawnWords {
  const titles = Array.from({ length: sampled }, () =>
    String(madeEntry(Math.floor(random() * rows)).row['title']).toLowerCase(),
  );
  const words = [...new Set(titles.flatMap((title) => title.split(/[ :]+/)))];
  const draw = (length: number) => {
    const word = words[Math.floor(random() * words.length)] ?? '';
    const from = Math.floor(random() * Math.max(1, word.length - length + 1));
    return word.slice(from, from + length);
  };
  const common = new Set<string>();
  const rare = new Set<string>();
  const short = new Set<string>();
  for (let attempt = 0; attempt < 20_000; attempt += 1) {
    if (short.size < count) short.add(draw(2));
    if (common.size >= count && rare.size >= count) break;
    const text = draw(leastLetters + Math.floor(random() * 6));
    if (text.length < leastLetters) continue;
    const share = titles.filter((title) => title.includes(text)).length / sampled;
    if (share >= 0.03 && share <= 0.08 && common.size < count) common.add(text);
    if (share > 0 && share < 0.005 && rare.size < count) rare.add(text);
  }
  return { common: [...common], rare: [...rare], short: [...short] };
}
