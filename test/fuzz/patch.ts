import fc from 'fast-check';
import { diffArrays } from 'diff';
import { PincerError } from '../../src/base/errors.ts';
import { parsePatch } from '../../src/tools/core/parsePatch.ts';
import { planPatch } from '../../src/tools/core/planPatch.ts';

/** What the patch of a file leads to; undefined where there is none. */
export interface FileVersions {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly moveTo?: string;
}

/** Short lines, many of them alike, as they are hard for whoever looks for a place. */
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      '}',
      '  return;',
      'a',
      'b',
      '\tif (x) {',
      '“q” – x',
      ' a ',
      '@@',
      '*** End Patch',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n\uFEFF]/gu, '')) },
);

/** Two versions of a text with the same line ends, and both with one at the end or both without. */
export const textVersions: fc.Arbitrary<{ readonly before: string; readonly after: string }> = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 14 }),
    edits: fc.array(fc.record({ at: fc.nat(14), remove: fc.nat(3), add: fc.array(line, { maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
    mark: fc.constantFrom('', '\uFEFF'),
  })
  .map(({ lines, edits, lineEnd, isEnded, mark }) => {
    const next = [...lines];
    for (const { at, remove, add } of edits) next.splice(Math.min(at, next.length), remove, ...add);
    const join = (each: readonly string[]): string =>
      mark + each.join(lineEnd) + (isEnded && each.length > 0 ? lineEnd : '');
    return {
      before: join(lines),
      after: join(next),
      isClear:
        (isEnded || (lines.at(-1) !== '' && next.at(-1) !== '')) &&
        (lineEnd === '\n' || join(lines).includes(lineEnd)),
    };
  })
  // Without an end an empty last line is no line, and one line alone does not say how lines end.
  .filter(({ before, after, isClear }) => isClear && before !== after && after.trim() !== '');

/**
 * A patch as a careful model writes it: with as many kept lines around each change as make every place clear.
 *
 * @param context that many kept lines, clear or not
 */
export function printPatch(files: readonly FileVersions[], context?: number): string {
  return ['*** Begin Patch', ...files.flatMap((file) => printFile(file, context)), '*** End Patch', ''].join(
    '\n',
  );
}

function printFile({ path, before, after, moveTo }: FileVersions, context: number | undefined): string[] {
  if (before === undefined) {
    const lines = toLines(after ?? '');
    return [`*** Add File: ${path}`, ...lines.map((text) => `+${text}`)];
  }
  if (after === undefined) return [`*** Delete File: ${path}`];
  const moves = moveTo === undefined ? [] : [`*** Move to: ${moveTo}`];
  const chunks = before === after ? [] : chunksOf(before, after, context);
  return [`*** Update File: ${path}`, ...moves, ...chunks.flatMap(printChunk)];
}

/** Changed lines with some kept ones around them. */
interface PrintedChunk {
  /** Number of its first line in the old text, counting from 0. */
  readonly start: number;
  readonly lines: readonly SignedLine[];
  readonly isEnd: boolean;
}

interface SignedLine {
  readonly sign: string;
  readonly text: string;
}

function printChunk({ lines, isEnd }: PrintedChunk): string[] {
  return ['@@', ...lines.map(({ sign, text }) => sign + text), ...(isEnd ? ['*** End of File'] : [])];
}

function chunksOf(before: string, after: string, context: number | undefined): readonly PrintedChunk[] {
  const old = toLines(before);
  const signed = diffArrays([...old], [...toLines(after)]).flatMap(({ added, removed, value }) =>
    value.map((text) => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  );
  if (context !== undefined) return cutChunks(signed, context);
  const clear = [0, 1, 2, 4].map((each) => cutChunks(signed, each)).find((chunks) => areClear(chunks, old));
  return clear ?? cutChunks(signed, Number.POSITIVE_INFINITY);
}

function cutChunks(signed: readonly SignedLine[], context: number): readonly PrintedChunk[] {
  const isNear = (at: number): boolean =>
    signed.some(({ sign }, other) => sign !== ' ' && Math.abs(other - at) <= context);
  const chunks: { start: number; lines: SignedLine[]; isEnd: boolean }[] = [];
  let start = 0;
  for (const [at, each] of signed.entries()) {
    if (isNear(at)) {
      if (at === 0 || !isNear(at - 1)) chunks.push({ start, lines: [], isEnd: false });
      chunks.at(-1)?.lines.push(each);
    }
    if (each.sign !== '+') start += 1;
  }
  const last = chunks.at(-1);
  if (last !== undefined && isNear(signed.length - 1)) last.isEnd = true;
  return chunks;
}

/** True where whoever takes the first fitting place below the one before takes the right one. */
function areClear(chunks: readonly PrintedChunk[], old: readonly string[]): boolean {
  let from = 0;
  return chunks.every(({ start, lines, isEnd }) => {
    const wanted = lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
    const first = isEnd ? Math.max(from, old.length - wanted.length) : from;
    const found = old.findIndex(
      (_, at) => at >= first && wanted.every((text, offset) => old[at + offset] === text),
    );
    from = start + wanted.length;
    return wanted.length > 0 && found === start;
  });
}

/** Lines without their ends and without a byte order mark. */
function toLines(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r?\n/u);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Breaks a patch somewhere: lines and characters lost, doubled, swapped or made up. */
export const mangling: fc.Arbitrary<(patch: string) => string> = fc
  .array(
    fc.record({
      at: fc.nat(),
      kind: fc.constantFrom('drop', 'double', 'swap', 'insert', 'cut', 'char'),
      text: fc.oneof(
        fc.constantFrom(
          '@@',
          '@@ a',
          '+',
          '-',
          ' ',
          '*** End of File',
          '*** Update File: a',
          '*** Move to: ',
          '\0',
          '﻿',
        ),
        fc.string({ maxLength: 6 }),
      ),
    }),
    { maxLength: 5 },
  )
  .map((steps) => (patch) => steps.reduce(mangle, patch));

function mangle(patch: string, { at, kind, text }: { at: number; kind: string; text: string }): string {
  const lines = patch.split('\n');
  const here = at % lines.length;
  const place = at % (patch.length + 1);
  switch (kind) {
    case 'drop':
      return lines.toSpliced(here, 1).join('\n');
    case 'double':
      return lines.toSpliced(here, 0, lines[here] ?? '').join('\n');
    case 'swap':
      return lines.toSpliced(here, 2, lines[here + 1] ?? '', lines[here] ?? '').join('\n');
    case 'insert':
      return lines.toSpliced(here, 0, text).join('\n');
    case 'cut':
      return patch.slice(0, place);
    default:
      return patch.slice(0, place) + text + patch.slice(place);
  }
}

/** The text after a patch of one file; throws what the parser or the planner throws. */
export function applyPatchText(input: string, before: string): string {
  return parsePatch(input).reduce(
    (text, patch) => (patch.kind === 'update' ? planPatch(text, patch.chunks, 'a').text : text),
    before,
  );
}

/** A text and a patch that was made for it and then broken. */
export const brokenPatches: fc.Arbitrary<{ readonly before: string; readonly patch: string }> = fc
  .tuple(textVersions, mangling, fc.constantFrom(0, 1, 3, 100))
  .map(([{ before, after }, mangle, context]) => {
    return { before, patch: mangle(printPatch([{ path: 'a', before, after }], context)) };
  });

const reachesSecondVersion = fc.property(textVersions, ({ before, after }) => {
  const patch = printPatch([{ path: 'a', before, after }]);
  const reached = applyPatchText(patch, before);
  if (reached !== after) throw new Error(`This patch leads to ${JSON.stringify(reached)}:\n${patch}`);
});

const failsOnlyAsOurs = fc.property(brokenPatches, requireOurs);

function requireOurs({ before, patch }: { readonly before: string; readonly patch: string }): void {
  try {
    applyPatchText(patch, before);
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
  }
}

/** Lines that mean something to the parser, in any order. */
const madeUpPatches: fc.Arbitrary<{ readonly before: string; readonly patch: string }> = fc.record({
  before: textVersions.map(({ before }) => before),
  patch: fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '*** Begin Patch',
          '*** End Patch',
          '*** Add File: a',
          '*** Delete File: b',
          '*** Update File: a',
        ),
        fc.constantFrom(
          '*** Update File: ',
          '*** Move to: c',
          '*** End of File',
          '@@',
          '@@ a',
          '@@ -1 +1 @@',
          "<<'EOF'",
          'EOF',
          '```',
        ),
        line.chain((text) => fc.constantFrom(` ${text}`, `+${text}`, `-${text}`, text)),
      ),
      { maxLength: 14 },
    )
    .map((lines) => ['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n')),
});

const madeUpFailsOnlyAsOurs = fc.property(madeUpPatches, requireOurs);

/**
 * Runs the patch parser and planner on patches that were made from two versions of a text, on broken and on made-up ones. Bounded
 * by `runs`; the seed makes it the same again. `failures` have the input.
 */
export function fuzzPatch(
  seed: number,
  runs: number,
): { readonly runs: number; readonly failures: readonly string[] } {
  const options = { seed, numRuns: runs };
  const checks = [
    fc.check(reachesSecondVersion, options),
    fc.check(failsOnlyAsOurs, options),
    fc.check(madeUpFailsOnlyAsOurs, options),
  ];
  const failed = checks.filter((check) => check.failed);
  return {
    runs: checks.reduce((sum, { numRuns }) => sum + numRuns, 0),
    failures: failed.map((check) => fc.defaultReportMessage(check as fc.RunDetails<unknown>) ?? 'failed'),
  };
}
