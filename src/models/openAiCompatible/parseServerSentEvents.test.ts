import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseServerSentEvents } from './parseServerSentEvents.ts';

async function parse(...chunks: readonly string[]): Promise<string[]> {
  const events: string[] = [];
  for await (const data of parseServerSentEvents(each(chunks))) events.push(data);
  return events;
}

async function* each(chunks: readonly string[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe('parseServerSentEvents', () => {
  it('gives the data of each event', async () => {
    expect(await parse('data: one\n\ndata: two\n\n')).toEqual(['one', 'two']);
  });

  it('takes CRLF and CR as line ends', async () => {
    expect(await parse('data: one\r\n\r\ndata: two\r\rdata: three\n\n')).toEqual(['one', 'two', 'three']);
  });

  it('takes a CRLF that two chunks share as one line end', async () => {
    expect(await parse('data: a\r', '\ndata: b\r', '\n\r', '\n')).toEqual(['a\nb']);
  });

  it('joins several data lines of one event by line feeds', async () => {
    expect(await parse('data: {\ndata:   "a": 1\ndata\ndata: }\n\n')).toEqual(['{\n  "a": 1\n\n}']);
  });

  it('leaves out comments, other fields and events without data', async () => {
    expect(await parse(': keep-alive\n\nevent: ping\nid: 4\n\ndatabase: x\n\ndata: one\n\n')).toEqual([
      'one',
    ]);
  });

  it('removes only one space after the colon', async () => {
    expect(await parse('data:tight\n\ndata:  wide\n\n')).toEqual(['tight', ' wide']);
  });

  it('gives the last event when the text ends without a blank line, or without any line end', async () => {
    expect(await parse('data: one\n')).toEqual(['one']);
    expect(await parse('data: on', 'e')).toEqual(['one']);
  });

  it('gives the end mark as data', async () => {
    expect(await parse('data: [DONE]\n\n')).toEqual(['[DONE]']);
  });

  it('gives an event as soon as its blank line is there', async () => {
    const seen: string[] = [];
    const source = (async function* () {
      yield 'data: one\n\n';
      await Promise.resolve();
      expect(seen).toEqual(['one']);
      yield 'data: two\n\n';
    })();
    for await (const data of parseServerSentEvents(source)) seen.push(data);
    expect(seen).toEqual(['one', 'two']);
  });

  it('reads the same events wherever the text is cut', async () => {
    const text =
      ': hi\r\ndata: one\r\n\r\ndata: two\ndata: three\n\nevent: x\r\rdata: vier 🐘\r\rdata: [DONE]';
    const whole = await parse(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 12 }), async (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        const chunks = at.slice(1).map((end, index) => text.slice(at[index], end));
        expect(await parse(...chunks)).toEqual(whole);
      }),
    );
  });
});
