import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../../test/builders/manualClock.ts';
import { createLinkReader, createLinkShower, type AnswerPiece } from './createLinkReader.ts';

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
    expect(reader.push('这是一句话，没有空格')).toEqual([text('这是一句话，没有空格')]);
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

  it.each([
    ['[the guide](docs/guide.md)', { title: 'the guide', path: 'docs/guide.md' }],
    ['[a](<my docs/a.md>)', { title: 'a', path: 'my docs/a.md' }],
    ['[a](./my%20docs/a.md#L12-L14)', { title: 'a', path: './my docs/a.md', line: 12, lastLine: 14 }],
    ['[a](app.ts:7)', { title: 'a', path: 'app.ts', line: 7 }],
    ['[a](docs/a.md#what-it-does)', { title: 'a', path: 'docs/a.md' }],
    ['[100%](100%.md)', { title: '100%', path: '100%.md' }],
    ['[**run** `make`](Makefile)', { title: 'run make', path: 'Makefile' }],
  ])('takes %j for a link to a file of the workspace, if there is one', (whole, found) => {
    const pieces = [{ kind: 'path', text: whole, ...found }];
    expect(read(whole)).toEqual(pieces);
    expect(read(...Array.from(whole))).toEqual(pieces);
  });

  it.each([
    '![a picture](docs/a.png)',
    '[a](#below)',
    '[a](//host/share/a.md)',
    '[a](mailto:a@b.example)',
    '[a](command:x)',
    '[](a.md)',
    '[a]()',
  ])('takes %j for no file', (whole) => {
    expect(read(whole).filter((piece) => piece.kind === 'path' && piece.title !== undefined)).toEqual([]);
  });

  it('leaves other links as text', () => {
    expect(read('[site](https://a.example/) ')).toEqual([text('[site](https://a.example/) ')]);
  });

  it('holds nothing back that is no link: a task box, a new line', () => {
    const reader = createLinkReader();
    expect(reader.push('- [ ] task ')).toEqual([text('- [ ] task ')]);
    expect(reader.push(' [x\n')).toEqual([text(' [x\n')]);
  });

  it('gives up on what is too long for a link', () => {
    const long = `[${'x'.repeat(700)}`;
    expect(createLinkReader().push(long)).toEqual([text(long)]);
    const code = `\`${'x'.repeat(700)}`;
    expect(createLinkReader().push(code)).toEqual([text(code)]);
  });

  const paths = (...chunks: readonly string[]): readonly string[] =>
    read(...chunks).flatMap((piece) =>
      piece.kind === 'path'
        ? [`${piece.path}${piece.line === undefined ? '' : `@${String(piece.line)}`}`]
        : [],
    );

  it.each([
    ['src/app.ts', ['src/app.ts']],
    ['See src/app.ts:12, and README.md.', ['src/app.ts@12', 'README.md']],
    ['(`src/app.ts`) **docs/a.md** "b/c.json"', ['src/app.ts', 'docs/a.md', 'b/c.json']],
    ['`src/app.ts:3-9` src/a.ts#L7 src/b.ts:4:2', ['src/app.ts@3', 'src/a.ts@7', 'src/b.ts@4']],
    ['| src/app.ts | `Makefile` |', ['src/app.ts', 'Makefile']],
    ['`docs/My notes.md:3` `.gitignore` `Dockerfile`', ['docs/My notes.md@3', '.gitignore', 'Dockerfile']],
    ['in src/日本.md, 在 docs/说明/读我.md', ['src/日本.md', 'docs/说明/读我.md']],
    ['src\\a.ts:4 and `src\\b.ts`', ['src/a.ts@4', 'src/b.ts']],
    ['_src/app.ts_ __src/b.ts:2__. __init__.py', ['src/app.ts', 'src/b.ts@2', '__init__.py']],
    ['./a.ts /w/b.ts .env.local', ['./a.ts', '/w/b.ts', '.env.local']],
    ['größe/straße.md', ['größe/straße.md']],
  ])('finds paths in %j', (whole, found) => {
    expect(paths(whole)).toEqual(found);
    expect(paths(...Array.from(whole))).toEqual(found);
    expect(
      read(whole)
        .map((piece) => (piece.kind === 'file' ? piece.href : piece.text))
        .join(''),
    ).toBe(whole);
  });

  it.each([
    'https://a.example/b.ts and //cdn.example/x.js',
    '[src/app.ts](https://a.example/src/app.ts)',
    '```ts\nimport "src/app.ts";\n```\n',
    '- ~~~\n  src/app.ts\n  ~~~\n',
    '````\n```\nsrc/app.ts\n````\n',
    'npm run test, v1.2.3, 3/4, and so on ... and/or',
    'src\\/app.ts',
  ])('takes nothing in %j for the path of a file, or only what a look at the disk tells', (whole) => {
    expect(paths(whole).filter((path) => /\.\w*[a-z]/u.test(path))).toEqual([]);
    expect(paths(...Array.from(whole))).toEqual(paths(whole));
  });

  it('goes on with links after a code block', () => {
    expect(paths('```\na/b.ts\n', '```', '\nsrc/app.ts ')).toEqual(['src/app.ts']);
  });

  it('gives the same, however the text is cut', () => {
    const part = fc.constantFrom(
      ...[
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        '\\',
        '\n',
        'a',
        '[t](file:///a)',
        '[t](a.md)',
        '!',
        'file://',
        '`',
        '```',
        '~~~',
        ' ',
      ],
      ...['a/b.ts', ':12', '.', '- '],
    );
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

describe('createLinkShower', () => {
  /** What was shown by the time each chunk had been followed by a pause, and after the end. */
  const shown = (...chunks: readonly string[]): readonly AnswerPiece[][] => {
    const clock = createManualClock();
    const steps: AnswerPiece[][] = [];
    const pieces: AnswerPiece[] = [];
    const links = createLinkShower(
      (ms, call) => clock.after(ms, call),
      (more) => pieces.push(...more),
    );
    for (const chunk of chunks) {
      links.push(chunk);
      clock.advance(1_000);
      steps.push(pieces.splice(0));
    }
    links.flush();
    return [...steps, pieces];
  };
  const path = (value: string): AnswerPiece => ({ kind: 'path', text: value, path: value });

  it.each([
    [
      'the last word',
      ['Painting the hu', 'll now'],
      [
        [text('Painting the '), text('hu')],
        [text('ll '), text('now')],
      ],
    ],
    [
      'a path, whose line is text then',
      ['See src/app.ts', ':12.'],
      [[text('See '), path('src/app.ts')], [text(':12.')]],
    ],
    ['half a link', ['[guide](do', 'cs/a.md) b '], [[text('[guide](do')], [text('cs/a.md) b ')]]],
    [
      'half a code span',
      ['`src/', 'a.ts` b.md '],
      [[text('`src/')], [text('a.ts` '), path('b.md'), text(' ')]],
    ],
  ])('shows in a pause %s, and what follows once', (_what, chunks, steps) => {
    expect(shown(...chunks)).toEqual([...steps, []]);
  });

  it('finds a path that comes without a pause, and shows nothing after it was disposed of', () => {
    const clock = createManualClock();
    const pieces: AnswerPiece[] = [];
    const links = createLinkShower(
      (ms, call) => clock.after(ms, call),
      (more) => pieces.push(...more),
    );
    for (const chunk of ['src', '/app', '.ts ']) {
      links.push(chunk);
      clock.advance(100);
    }
    expect(pieces).toEqual([path('src/app.ts'), text(' ')]);
    links.push('held');
    links.dispose();
    clock.advance(1_000);
    expect(pieces).toHaveLength(2);
  });

  it('loses and repeats no character, wherever it is cut by pauses', () => {
    const piece = fc.constantFrom(
      'src/a.ts',
      '[a](b.md)',
      '`c/d.ts`',
      '```\n',
      'word',
      ' ',
      '\n',
      '\\',
      '`',
      '[',
      ':1',
    );
    fc.assert(
      fc.property(fc.array(piece), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (pieces, sizes) => {
        let rest = pieces.join('');
        const chunks: string[] = [];
        while (rest !== '') {
          const size = sizes.next().value as number;
          chunks.push(rest.slice(0, size));
          rest = rest.slice(size);
        }
        const all = shown(...chunks).flat();
        expect(all.map((each) => (each.kind === 'file' ? each.href : each.text)).join('')).toBe(
          pieces.join(''),
        );
      }),
    );
  });
});
