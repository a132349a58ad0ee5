import { describe, expect, it } from 'vitest';
import { createGate } from '../../../test/builders/scriptedModelServer.ts';
import { createOrderedStream, type OrderedStream } from './orderedStream.ts';

function open(): { readonly said: string[]; readonly stream: OrderedStream } {
  const said: string[] = [];
  const stream = createOrderedStream({
    markdown: (value) => void said.push(typeof value === 'string' ? value : value.value),
    progress: (value) => void said.push(value),
    anchor: () => void said.push('anchor'),
    button: () => void said.push('button'),
  });
  return { said, stream };
}

describe('the stream of an answer', () => {
  it('says at once what nothing is in front of', () => {
    const { said, stream } = open();
    stream.markdown('a');
    stream.progress('b');
    expect(said).toEqual(['a', 'b']);
  });

  it('keeps what is said after a step behind it, and steps in their order', async () => {
    const { said, stream } = open();
    const gate = createGate();
    stream.part(async () => {
      await gate.opened;
      said.push('step 1');
    });
    stream.markdown('after 1');
    stream.part(() => Promise.resolve(void said.push('step 2')));
    stream.markdown('after 2');
    expect(said).toEqual([]);
    gate.open();
    await stream.settled();
    expect(said).toEqual(['step 1', 'after 1', 'step 2', 'after 2']);
    stream.markdown('later');
    expect(said.at(-1)).toBe('later');
  });

  it('says what is behind a step that fails, and tells of the failure at the end', async () => {
    const { said, stream } = open();
    stream.part(() => Promise.reject(new Error('closed')));
    stream.markdown('behind');
    await expect(stream.settled()).rejects.toThrow('closed');
    expect(said).toEqual(['behind']);
    stream.part(() => Promise.resolve(void said.push('step')));
    await expect(stream.settled()).rejects.toThrow('closed');
    expect(said).toEqual(['behind', 'step']);
  });

  it('holds back what must not happen before the answer shows it', async () => {
    const { said, stream } = open();
    const gate = createGate();
    stream.part(async () => {
      await gate.opened;
      said.push('step');
    });
    stream.markdown('question');
    stream.then(() => void said.push('shown'));
    expect(said).toEqual([]);
    gate.open();
    await stream.settled();
    expect(said).toEqual(['step', 'question', 'shown']);
  });
});
