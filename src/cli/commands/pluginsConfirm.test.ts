import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { confirmInTerminal } from './pluginsConfirm.ts';

function terminal(isTTY = true): { input: PassThrough; output: PassThrough } {
  const stream = (): PassThrough => Object.assign(new PassThrough(), { isTTY, columns: 200 });
  return { input: stream(), output: stream() };
}

async function answer(typed: string): Promise<boolean> {
  const { input, output } = terminal();
  const asked = confirmInTerminal({}, 'Install words?', { input, output });
  input.write(typed);
  return await asked;
}

describe('confirmInTerminal', () => {
  it.each(['y\r', ' YES \r'])('takes %j for a yes', async (typed) => expect(await answer(typed)).toBe(true));

  it.each(['n\r', '\r', 'yes please\r', '\u0003'])('takes %j for a no', async (typed) =>
    expect(await answer(typed)).toBe(false),
  );

  it('takes the end of the input for a no', async () => {
    const { input, output } = terminal();
    const asked = confirmInTerminal({}, 'Install words?', { input, output });
    input.end();
    expect(await asked).toBe(false);
  });

  it('refuses where nobody can be asked, unless the command line says yes', async () => {
    await expect(confirmInTerminal({}, 'Install words?', terminal(false))).rejects.toMatchObject({
      code: 'confirmation_missing',
    });
    expect(await confirmInTerminal({ yes: true }, 'Install words?', terminal(false))).toBe(true);
  });
});
