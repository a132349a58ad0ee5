import { readFrontMatter } from './readFrontMatter.ts';
import { readMarkdownBlocks, type HeadingBlock, type MarkdownBlock } from './readMarkdownBlocks.ts';
import { estimateTokens, splitLine } from './tokens.ts';

/** A passage that can be found and linked to on its own. */
export interface MarkdownChunk {
  /** 1-based. */
  readonly startLine: number;
  /** 1-based, included. */
  readonly endLine: number;
  /** The headings above it, outermost first. */
  readonly headings: readonly string[];
  /** The lines as they are in the file, joined by line feeds; a part of one line where that alone is too long. */
  readonly text: string;
}

/**
 * Cuts markdown into passages of at most about `maxTokens`: a new one at each heading, and between paragraphs where a
 * section is longer. Code fences stay whole, however long. A heading with nothing under it but deeper headings is no
 * passage of its own: those carry it.
 */
export function chunkMarkdown(text: string, maxTokens = 400): MarkdownChunk[] {
  return [...readChunks(text, maxTokens)];
}

/** The same one by one, for a caller that has to let other work run in between. */
export function* readChunks(text: string, maxTokens = 400): Generator<MarkdownChunk> {
  const lines = text.split(/\r\n|\n|\r/u);
  const open: HeadingBlock[] = [];
  let builder = createChunkBuilder(lines, [], maxTokens);
  let heading: HeadingBlock | undefined;
  const { length } = readFrontMatter(lines);
  if (length > 0) yield* builder.add({ kind: 'text', first: 0, last: length - 1 });
  for (const block of readMarkdownBlocks(lines, length)) {
    if (block.kind !== 'heading') {
      if (heading !== undefined) yield* builder.add(heading);
      heading = undefined;
      yield* builder.add(block);
      continue;
    }
    if (heading !== undefined && block.level <= heading.level) yield* builder.add(heading);
    yield* builder.end();
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
    open.push(block);
    heading = block;
    const titles = open.map(({ title }) => title).filter((title) => title !== '');
    builder = createChunkBuilder(lines, titles, maxTokens);
  }
  if (heading !== undefined) yield* builder.add(heading);
  yield* builder.end();
}

interface ChunkBuilder {
  /** Takes the next block of the section; gives the passages that are complete by that. */
  add(block: MarkdownBlock): Generator<MarkdownChunk>;
  /** The passage that is still open. */
  end(): Generator<MarkdownChunk>;
}

/** Fills passages with the blocks of one section. */
function createChunkBuilder(
  lines: readonly string[],
  headings: readonly string[],
  maxTokens: number,
): ChunkBuilder {
  let open: { readonly first: number; readonly last: number; readonly tokens: number } | undefined;
  const textOf = (first: number, last: number): string => lines.slice(first, last + 1).join('\n');
  const toChunk = (first: number, last: number, text = textOf(first, last)): MarkdownChunk => ({
    startLine: first + 1,
    endLine: last + 1,
    headings,
    text,
  });

  function* end(): Generator<MarkdownChunk> {
    if (open !== undefined) yield toChunk(open.first, open.last);
    open = undefined;
  }

  function* addPart(first: number, last: number, tokens: number): Generator<MarkdownChunk> {
    if (open !== undefined && open.tokens + tokens > maxTokens) yield* end();
    open = { first: open?.first ?? first, last, tokens: (open?.tokens ?? 0) + tokens };
  }

  function* addLine(at: number): Generator<MarkdownChunk> {
    const line = lines[at] ?? '';
    const tokens = estimateTokens(line);
    if (tokens <= maxTokens) {
      yield* addPart(at, at, tokens);
      return;
    }
    yield* end();
    for (const piece of splitLine(line, maxTokens)) yield toChunk(at, at, piece);
  }

  return {
    end,
    *add(block) {
      const tokens = estimateTokens(textOf(block.first, block.last));
      if (block.kind === 'fence' || tokens <= maxTokens) {
        yield* addPart(block.first, block.last, tokens);
        return;
      }
      // A paragraph that is too long for a passage is cut between its lines.
      for (let at = block.first; at <= block.last; at += 1) yield* addLine(at);
    },
  };
}
