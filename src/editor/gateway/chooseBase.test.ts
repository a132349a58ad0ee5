import { expect, it } from 'vitest';
import { chooseBase } from './chooseBase.ts';

const local = 'http://127.0.0.1:18789';
const answers =
  (instances: Readonly<Record<string, string>>) =>
  async (base: string): Promise<string | undefined> =>
    await Promise.resolve(instances[base]);

it('shows a forwarded address once the same gateway has answered through it', async () => {
  const forward = 'https://name-18789.example';
  const both = answers({ [local]: 'a', [forward]: 'a' });
  expect(await chooseBase(local, `${forward}/`, both)).toBe(forward);
});

it('stays with loopback where nothing answers, or another gateway does, or a path would stand behind a query', async () => {
  const forward = 'http://localhost:3000/proxy/18789';
  expect(await chooseBase(local, `${forward}/`, answers({ [local]: 'a' }))).toBe(local);
  expect(await chooseBase(local, `${forward}/`, answers({ [local]: 'a', [forward]: 'b' }))).toBe(local);
  expect(await chooseBase(local, `${forward}/`, answers({}))).toBe(local);
  const withQuery = `${forward}/?tkn=x`;
  expect(await chooseBase(local, withQuery, answers({ [local]: 'a', [withQuery]: 'a' }))).toBe(local);
});
