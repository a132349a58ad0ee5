import { expect, it } from 'vitest';
import { createBrowserReturns } from './createBrowserReturns.ts';

/** An editor that takes one listener at a time, as VS Code does. */
function openEditor() {
  const heard: ((answer: URL) => void)[] = [];
  const returns = createBrowserReturns((hear) => {
    if (heard.length > 0) throw new Error('there is a handler');
    heard.push(hear);
    return { dispose: () => void heard.splice(0) };
  });
  const wait = (state: string, signal: AbortSignal): Promise<URL> =>
    returns.wait((answer) => answer.searchParams.get('state') === state, signal);
  const come = (state: string): void => heard.forEach((hear) => hear(new URL(`vscode://x/y?state=${state}`)));
  return { heard, wait, come };
}

it('two that wait at once each hear their own browser, and nobody listens after that', async () => {
  const { heard, wait, come } = openEditor();
  const { signal } = new AbortController();
  const both = [wait('one', signal), wait('two', signal)];
  come('none');
  come('two');
  expect(heard).toHaveLength(1);
  come('one');
  expect((await Promise.all(both)).map(({ search }) => search)).toEqual(['?state=one', '?state=two']);
  expect(heard).toEqual([]);
});

it('nobody listens once who waited has left, nor for who had left before', async () => {
  const { heard, wait } = openEditor();
  const leaving = new AbortController();
  const waiting = wait('one', leaving.signal);
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await expect(wait('one', leaving.signal)).rejects.toMatchObject({ code: 'cancelled' });
  expect(heard).toEqual([]);
});
