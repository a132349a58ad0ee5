import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkReader, type AnswerPiece } from './createLinkReader.ts';

function read(...chunks: readonly string[]): readonly AnswerPiece[] {
  const reader = createLinkReader();
  return [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.flush()];
}

const text = (value: string): AnswerPiece => ({ kind: 'text', text: value });

describe('createLinkReader', () => {
  it('passes text without links on at once', () => {
    const reader = createLinkReader();
    expect(reader.push('a ')).toEqual([text('a ')]);
    expect(reader.push('b\n')).toEqual([text('b\n')]);
  });

  it.each([
    ['in one chunk', ['see [a.md](file:///w/a.md) now']],
    ['cut in the title', ['see [a', '.md](file:///w/a.md) now']],
    ['cut between the parts', ['see [a.md]', '(file:///w/a.md) now']],
    ['cut in the address', ['see [a.md](fi', 'le:///w/a.md', ') now']],
    ['in angle brackets', ['see [a.md](<file:///w/', 'a.md>', ') now']],
  ])('finds a file link %s', (_how, chunks) => {
    expect(read(...chunks).filter((piece) => piece.kind === 'file')).toEqual([
      { kind: 'file', title: 'a.md', href: 'file:///w/a.md' },
    ]);
    expect(
      read(...chunks)
        .filter((piece) => piece.kind === 'text')
        .map((piece) => piece.text)
        .join(''),
    ).toBe('see  now');
  });

  it('takes the escapes out of a title', () => {
    expect(read('[docs/a\\.md\\:8](file:///w/a.md#L8)')).toEqual([
      { kind: 'file', title: 'docs/a.md:8', href: 'file:///w/a.md#L8' },
    ]);
  });

  it('leaves other links as text', () => {
    expect(read('[site](https://a.example/) ')).toEqual([text('[site](https://a.example/) ')]);
  });

  it('holds nothing back that is no link: a task box, a new line', () => {
    const reader = createLinkReader();
    expect(reader.push('- [ ] task')).toEqual([text('- [ ] task')]);
    expect(reader.push(' [x\n')).toEqual([text(' [x\n')]);
  });

  it('gives up on what is too long for a link', () => {
    const long = `[${'x'.repeat(700)}`;
    expect(createLinkReader().push(long)).toEqual([text(long)]);
  });

  it('gives the same, however the text is cut', () => {
    const part = fc.constantFrom('[', ']', '(', ')', '<', '>', '\\', '\n', 'a', '[t](file:///a)', 'file://');
    const joined = (pieces: readonly AnswerPiece[]): string =>
      JSON.stringify(pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece))).replaceAll(
        '","',
        '',
      );
    fc.assert(
      fc.property(fc.array(part), fc.nat(), (parts, at) => {
        const whole = parts.join('');
        const cut = at % (whole.length + 1);
        expect(joined(read(whole.slice(0, cut), whole.slice(cut)))).toBe(joined(read(whole)));
      }),
    );
  });
});
