import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkReply } from './chunkReply.ts';

const fencesIn = (chunk: string): number => chunk.split('\n').filter((line) => line.startsWith('```')).length;

describe('chunkReply', () => {
  it('leaves a short text whole and cuts a long one between paragraphs', () => {
    expect(chunkReply('Hello.', 100)).toEqual(['Hello.']);
    const long = `${'a'.repeat(80)}\n\n${'b'.repeat(80)}`;
    expect(chunkReply(long, 100)).toEqual(['a'.repeat(80), 'b'.repeat(80)]);
    expect(chunkReply('', 100)).toEqual([]);
  });

  it('closes a code fence at the end of a piece and opens it again in the next, with its language', () => {
    const code = Array.from({ length: 40 }, (_, at) => `const line${String(at)} = ${String(at)};`).join('\n');
    const chunks = chunkReply(`Here it is:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`, 300);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) {
      expect(chunk.length).toBeLessThanOrEqual(300);
      expect(fencesIn(chunk) % 2).toBe(0);
    }
    expect(chunks.filter((chunk) => chunk.startsWith('```ts\n')).length).toBeGreaterThan(1);
    const lines = chunks.flatMap((chunk) => chunk.split('\n')).filter((line) => line.startsWith('const'));
    expect(lines.join('\n')).toBe(code);
  });

  it('closes a fence in a list where it stands, and takes marks that stand further in for what it shows', () => {
    const code = Array.from({ length: 12 }, (_, at) => `    step ${String(at)} of the work`).join('\n');
    const [first = '', second = ''] = chunkReply(`1. So:\n\n    \`\`\`sh\n${code}\n    \`\`\``, 200);
    expect(first.split('\n').at(-1)).toBe('    ```');
    expect(second.split('\n')[0]).toBe('```sh');
    const nested = chunkReply(`\`\`\`md\n    \`\`\`\n${code}\n    \`\`\`\n${code}\n\`\`\``, 200);
    expect(nested.every((chunk) => /^```md\n[^]*\n```$/u.test(chunk))).toBe(true);
  });

  it('ends a fence of a list that was cut where the text does, and leaves what follows as it is', () => {
    const code = Array.from({ length: 12 }, (_, at) => `    step ${String(at)} of the work`).join('\n');
    for (const [fence, text] of [
      ['    ```', code],
      ['\t```', code.replaceAll('    ', '\t')],
    ]) {
      const chunks = chunkReply(
        `1. So:\n\n${fence}sh\n${text}\n${fence}\n\n${'2. Read **this**. '.repeat(20)}`,
        200,
      );
      const shown = chunks.join('\n').replaceAll(/^[ \t]*```[^]*?^[ \t]{0,3}```$/gmu, '');
      expect(shown).not.toMatch(/```|step/u);
      expect(shown.match(/\*\*this\*\*/gu)).toHaveLength(20);
    }
  });

  it('makes no more and no longer pieces of a fence with a mark of any length', () => {
    for (const mark of ['`', '~'])
      for (const length of [3, 8, 15, 16, 17, 50, 99, 3_990, 5_000]) {
        const text = `${mark.repeat(length)}\n${'x y\n'.repeat(2_000)}`;
        for (const limit of [100, 4_000]) {
          const chunks = chunkReply(text, limit);
          expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(limit);
          expect(chunks.length).toBeLessThan((4 * text.length) / limit);
        }
      }
  });

  it('uses 4000 characters where a channel names no limit, or one that is none', () => {
    expect(chunkReply('x'.repeat(4_000))).toHaveLength(1);
    expect(chunkReply('x'.repeat(4_001), Number.NaN)).toHaveLength(2);
  });

  it('never makes a piece that is too long or ends inside a fence, and loses no word', () => {
    const line = fc.oneof(
      fc.constantFrom('```', '```js', '~~~', '', '# Title', '    ```', '`'.repeat(20)),
      fc.stringMatching(/^[a-z ]{0,60}$/u),
      fc.constant('🙂'.repeat(30)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 100, max: 400 }), (lines, limit) => {
        const text = lines.join('\n');
        const chunks = chunkReply(text, limit);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(limit);
          expect(() => encodeURIComponent(chunk)).not.toThrow();
        }
        const words = (all: string): string =>
          all.replace(/^\s*(?:`{3,}|~{3,}).*$/gmu, '').replace(/\s+/gu, '');
        expect(words(chunks.join('\n'))).toBe(words(text));
      }),
    );
  });
});
