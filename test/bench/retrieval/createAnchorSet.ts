import { posix } from 'node:path';
import type { MarkdownText } from '../memoryCorpus.ts';
import type { RetrievalSet } from './retrievalSet.ts';

/** Words of a link text that say nothing of where it leads. */
const emptyWords = new Set(
  `a an the this that these here there see also more about above below prior previous next earlier later other another original
   first second last new old version revision section part page link document documentation doc docs file files issue pr pull
   request rfc rfcs comment thread discussion post example examples details its their our was been has is are of in on for to and
   or with from by at as it we did what how why years ago same such which when`.split(/\s+/),
);

/**
 * A set from links between markdown files: a link's text is the query, the file that it leads to is what should be found. Left
 * out are texts without two telling words, and those that are the name or the title of the file, which any search finds.
 * `resolve` gives the file that a target in a file stands for.
 */
export function createAnchorSet(
  files: readonly MarkdownText[],
  resolve: (from: string, target: string) => string | undefined = resolveRelative,
): RetrievalSet {
  const byName = new Map(files.map((file) => [file.name, file]));
  const targets = new Map<string, Set<string>>();
  for (const { name, text } of files) {
    for (const link of linksOf(text)) {
      const file = byName.get(resolve(name, link.target.replace(/[#?].*$/u, '')) ?? '');
      if (file === undefined || file.name === name || !isTelling(link.text, file)) continue;
      const known = targets.get(link.text) ?? new Set();
      targets.set(link.text, known.add(file.name));
    }
  }
  const all = [...targets].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    docs: files.map(({ name, text }) => ({ id: name, title: '', text })),
    queries: all.map(([text], index) => ({ id: String(index), text })),
    qrels: Object.fromEntries(
      all.map(([, names], index) => [String(index), Object.fromEntries([...names].map((name) => [name, 1]))]),
    ),
  };
}

/** A target as a path from the file that it stands in. */
export function resolveRelative(from: string, target: string): string | undefined {
  return /^[a-z]+:/iu.test(target) ? undefined : posix.join(posix.dirname(from), target);
}

interface Link {
  readonly text: string;
  readonly target: string;
}

/** `[text](target)`, and `[text][name]` or `[text]` with `[name]: target` further on. */
function linksOf(markdown: string): readonly Link[] {
  const named = new Map(
    Array.from(markdown.matchAll(/^ {0,3}\[([^\]\n]+)\]:\s*(\S+)/gmu), ([, name = '', target = '']) => [
      name.toLowerCase(),
      target,
    ]),
  );
  const inline = Array.from(
    markdown.matchAll(/(?<!!)\[([^[\]]+)\]\(([^()\s]+)[^()]*\)/gu),
    ([, text = '', target = '']) => ({ text, target }),
  );
  const byName = Array.from(
    markdown.matchAll(/(?<!!)\[([^[\]]+)\](?:\[([^[\]]*)\])?(?![(:])/gu),
    ([, text = '', name = '']) => ({ text, target: named.get((name || text).toLowerCase()) ?? '' }),
  );
  return [...inline, ...byName]
    .filter(({ target }) => target !== '')
    .map(({ text, target }) => ({ target, text: text.replace(/[`*]/gu, '').replace(/\s+/gu, ' ').trim() }));
}

function isTelling(text: string, target: MarkdownText): boolean {
  const words = plain(text).split(' ');
  const telling = words.filter((word) => /\p{L}/u.test(word) && !emptyWords.has(word));
  const names = [titleOf(target.text), posix.basename(target.name, '.md'), posix.basename(target.name)];
  return telling.length >= 2 && !names.map(plain).includes(plain(text));
}

function titleOf(markdown: string): string {
  return /^title:(.*)$/mu.exec(markdown.slice(0, 1_000))?.[1] ?? /^#(?!#)(.*)$/mu.exec(markdown)?.[1] ?? '';
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
