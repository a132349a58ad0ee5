import { findSecrets } from '../../src/base/secrets/findSecrets.ts';
import { readMarkdownTexts } from '../../test/bench/memoryCorpus.ts';
import { plants, type Dice } from '../../test/cases/plants.ts';
import type { HostileCase, Verdict } from './hostileCase.ts';

/** `block` where something is taken out of the text. */
export function judge({ input }: HostileCase): Promise<Verdict> {
  return Promise.resolve(findSecrets(input).length > 0 ? 'block' : 'allow');
}

export interface Recall {
  readonly planted: number;
  readonly found: number;
  /** By kind, how many were left. */
  readonly missed: ReadonlyMap<string, number>;
}

/** Plants so many secrets of each kind, each in a text of its own, and looks which of them stay. The same seed gives the same. Pure. */
export function measureRecall(ofEach: number, seed: number): Recall {
  const dice = createDice(seed);
  const missed = new Map<string, number>();
  let found = 0;
  for (const [kind, place, make] of plants) {
    for (let at = 0; at < ofEach; at += 1) {
      const secret = make(dice);
      if (isTakenOut(`# Notes\n${place(secret, dice)}\nand more of them\n`, secret)) found += 1;
      else missed.set(kind, (missed.get(kind) ?? 0) + 1);
    }
  }
  return { planted: plants.length * ofEach, found, missed };
}

/** Least share of planted secrets that is found, in percent, and most false alarms for a megabyte of prose about code. */
const target = { recall: 98, alarms: 1 };

/** Measures both, says so, and gives 1 where one of them is missed. The texts are the public ones of the benchmarks where they are there. */
export async function report(): Promise<number> {
  const { planted, found, missed } = measureRecall(50, 20_261_123);
  const recall = (found / planted) * 100;
  const texts = await readMarkdownTexts();
  const size = texts.reduce((sum, { text }) => sum + text.length, 0) / 1_000_000;
  const alarms = texts.reduce((sum, { text }) => sum + findSecrets(text).length, 0);
  console.log(
    `${found} of ${planted} planted secrets of ${plants.length} kinds found: ${recall.toFixed(2)} %`,
  );
  for (const [kind, count] of missed) console.log(`  left: ${kind}, ${count}`);
  console.log(`${alarms} false alarms in ${size.toFixed(1)} MB of markdown`);
  return recall >= target.recall && alarms / size <= target.alarms ? 0 : 1;
}

/** Whether nothing of the secret is left in one piece. */
function isTakenOut(text: string, secret: string): boolean {
  let rest = '';
  let from = 0;
  for (const { start, end } of findSecrets(text)) {
    rest += `${text.slice(from, start)}\0`;
    from = end;
  }
  return !(rest + text.slice(from)).includes(secret);
}

/** Numbers that look random and repeat (the generator mulberry32). */
function createDice(seed: number): Dice {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    pick: (characters, count) =>
      Array.from({ length: count }, () => characters.charAt(below(characters.length))).join(''),
    oneOf: (words) => words[below(words.length)] ?? '',
  };
}
