import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { executes } from '../../test/builders/callContexts.ts';
import type { ApprovalDecision, ApprovalRequest } from '../contracts/approval.ts';
import { askInTerminal } from './askInTerminal.ts';

const request = (decisions: readonly ApprovalDecision[]): ApprovalRequest => ({
  id: 'r',
  sessionId: 's1',
  sessionKey: 's',
  runId: 'r',
  toolCallId: 't',
  toolName: 'write',
  callHash: 'h',
  title: 'Write notes.md',
  description: 'new file, 1 line',
  severity: 'warning',
  askers: ['host', 'guard'],
  decisions,
  grantLabel: 'write **',
  params: {},
  edits: [],
  createdAt: 0,
  timeoutMs: 1,
  isTimeWatched: true,
  wider: [],
});

const all = ['allow-once', 'allow-always', 'deny'] as const;

function terminal(): { input: PassThrough; output: PassThrough; shown: () => string } {
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { input: new PassThrough(), output, shown: () => text };
}

async function answer(
  typed: string,
  decisions: readonly ApprovalDecision[] = all,
): Promise<Awaited<ReturnType<typeof askInTerminal>>> {
  const { input, output } = terminal();
  const asked = askInTerminal(request(decisions), { input, output }, new AbortController().signal);
  input.write(typed);
  return await asked;
}

describe('askInTerminal', () => {
  it('says what is asked, by whom, and what an "always" would cover', async () => {
    const { input, output, shown } = terminal();
    const asked = askInTerminal(request(all), { input, output }, new AbortController().signal);
    input.write('\r');
    await asked;
    expect(shown()).toContain('Write notes.md: new file, 1 line (asked by plugin guard)');
    expect(shown()).toContain('Allow? (y = once, a = always allow write **, n = no)');
  });

  it.each([
    ['y', 'allow-once'],
    [' Y ', 'allow-once'],
    ['a', 'allow-always'],
    ['n\r', 'deny'],
    ['No\r  ', 'deny'],
    ['', 'deny'],
    ['yes please', 'deny'],
    ['toString', 'deny'],
  ])('takes %j for %s', async (typed, decision) => {
    expect(await answer(`${typed}\r`)).toBe(decision);
  });

  it('asks after a no what to do instead, and takes the words as they were typed', async () => {
    const { input, output, shown } = terminal();
    const asked = askInTerminal(request(all), { input, output }, new AbortController().signal);
    input.write('n\r');
    await expect.poll(shown).toContain('Why not, or what to do instead? (Enter = say nothing)');
    input.write(' Put it into docs/Notes.md \r');
    expect(await asked).toEqual({ words: 'Put it into docs/Notes.md' });
  });

  it('takes the end of the input after a no for no more than that', async () => {
    const { input, output } = terminal();
    const asked = askInTerminal(request(all), { input, output }, new AbortController().signal);
    input.end('n\r');
    expect(await asked).toBe('deny');
  });

  it('takes an answer that is not offered for a no', async () => {
    expect(await answer('a\r', ['allow-once', 'deny'])).toBe('deny');
  });

  describe('where the call is longer than the question', () => {
    const command = `echo ${'x'.repeat(3_000)}\u202E; rm -rf ~`;
    const long = { ...request(all), params: { command, timeout: 5 } };

    async function type(...lines: readonly string[]): Promise<{ decision: unknown; text: string }> {
      const { input, output, shown } = terminal();
      const asked = askInTerminal(
        { ...long, effects: [executes(command)] },
        { input, output },
        new AbortController().signal,
      );
      for (const line of lines) input.write(`${line}\r`);
      return { decision: await asked, text: shown() };
    }

    it('shows all of it in pages, hidden characters as codes, before a yes counts', async () => {
      const { decision, text } = await type('m', 'm', 'm', 'y');
      expect(decision).toBe('allow-once');
      // Its rows, without the prompts between the pages.
      const rows = text.split(/\r?\n/u).filter((line) => line.startsWith('  '));
      expect(rows.map((row) => row.slice(2)).join('')).toContain('x'.repeat(3_000));
      expect(text).toContain('⟨U+202E⟩; rm -rf ~');
      expect(text).toContain('"timeout": 5');
    });

    it('takes no yes before', async () => {
      const { decision, text } = await type('y', 'n', '');
      expect(text).toContain('Not all of it was shown yet.');
      expect(decision).toBe('deny');
      expect((await type('a')).decision).toBe('deny');
      expect((await type('')).decision).toBe('deny');
    });
  });

  it('takes the end of the input for a no', async () => {
    const { input, output } = terminal();
    const asked = askInTerminal(request(all), { input, output }, new AbortController().signal);
    input.end();
    expect(await asked).toBe('deny');
  });

  it('hears Ctrl-C', async () => {
    expect(await answer('\u0003')).toBe('interrupted');
  });

  it('takes the question back when it was settled elsewhere', async () => {
    const { input, output } = terminal();
    const settled = new AbortController();
    const asked = askInTerminal(request(all), { input, output }, settled.signal);
    settled.abort();
    expect(await asked).toBeUndefined();
  });
});
