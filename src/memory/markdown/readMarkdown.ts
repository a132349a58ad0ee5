import { createPassageCutter, type Chunking, type MarkdownPassage } from './createPassageCutter.ts';
import { readFrontMatter, type FrontMatter } from './readFrontMatter.ts';
import { readMarkdownBlocks, type HeadingBlock } from './readMarkdownBlocks.ts';

/** A markdown text, cut into passages that can be found and linked to on their own. */
export interface ReadMarkdown {
  readonly frontMatter: FrontMatter;
  /** In order, and made as they are asked for, so that a caller may let other work run in between. To be walked once. */
  readonly passages: Iterable<MarkdownPassage>;
}

/**
 * Cuts markdown at its headings, and between paragraphs or lines where a section has more than `chunking.tokens`. Every line
 * that is not blank is in a passage. Front matter is given as fields; it is part of the first passage only where it says more
 * than those. A heading that nothing stands under belongs to the deeper section after it. Any text is valid, and the time
 * grows with its length alone.
 */
export function readMarkdown(text: string, chunking: Chunking): ReadMarkdown {
  const lines = text.split(/\r\n|\n|\r/u);
  const { fields, length, saysMore } = readFrontMatter(lines);
  const above: HeadingBlock[] = saysMore
    ? [{ kind: 'heading', first: 0, last: length - 1, level: 0, title: '' }]
    : [];
  return { frontMatter: fields, passages: readPassages(lines, length, above, chunking) };
}

function* readPassages(
  lines: readonly string[],
  from: number,
  above: readonly HeadingBlock[],
  chunking: Chunking,
): Generator<MarkdownPassage> {
  const open: HeadingBlock[] = [];
  const cutter = createPassageCutter(lines, chunking);
  // Headings that nothing stands under so far, each deeper than the one before it.
  let bare = [...above];
  for (const block of readMarkdownBlocks(lines, from)) {
    if (block.kind !== 'heading') {
      for (const heading of bare) yield* cutter.add(heading);
      bare = [];
      yield* cutter.add(block);
      continue;
    }
    if (block.level <= (bare.at(-1)?.level ?? -1)) {
      for (const heading of bare) yield* cutter.add(heading);
      bare = [];
    }
    yield* cutter.endSection();
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
    open.push(block);
    bare.push(block);
    cutter.beginSection(open.map(({ title }) => title).filter((title) => title !== ''));
  }
  for (const heading of bare) yield* cutter.add(heading);
  yield* cutter.endSection();
}
